// swift 6: main actor-isolated
import UIKit

func state(_ application: UIApplication) -> UIApplication.State { application.applicationState }
