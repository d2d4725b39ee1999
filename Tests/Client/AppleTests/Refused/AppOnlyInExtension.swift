// extension
// finding: an extension may not use UIApplication.shared
// finding: an extension may not use current
import Noroshi
import UIKit

@MainActor
func application() -> UIApplication { .shared }

func platform() -> NoroshiPlatform { .current }
