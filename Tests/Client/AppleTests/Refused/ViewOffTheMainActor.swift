// swift 6: call to main actor-isolated initializer 'init(frame:)'
import UIKit

func view() { _ = UIView(frame: .zero) }
