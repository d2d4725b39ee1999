// finding: UIApplication.shared is for apps only
// finding: for apps only
import Noroshi
import UIKit

@MainActor
func application() -> UIApplication { .shared }

func sdk(_ configuration: Noroshi.Configuration) -> Noroshi {
    Noroshi(configuration: configuration)
}
