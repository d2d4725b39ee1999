import Reasons

/// Filters on numbers.
enum MathFilters {
    static let table: [String: Filter] = [
        "plus": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            let (left, right) = (Numbers.number(input), Numbers.number(arguments.required(0)))
            try renderer.spend(Number.stepsOfSum(left, right))
            return (left + right).value
        },
        "minus": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            let (left, right) = (Numbers.number(input), Numbers.number(arguments.required(0)))
            try renderer.spend(Number.stepsOfSum(left, right))
            return (left - right).value
        },
        "times": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            let (left, right) = (Numbers.number(input), Numbers.number(arguments.required(0)))
            try renderer.spend(Number.stepsOfSum(left, right))
            return (left * right).value
        },
        "divided_by": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            let number = Numbers.number(input)
            let divisor = Numbers.number(arguments.required(0))
            try renderer.spend(Number.stepsOfQuotient(number, divisor))
            guard let quotient = number.divided(by: divisor) else {
                throw LiquidError(.zeroDivision, .dividedByZero)
            }
            return quotient.value
        },
        "modulo": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            let number = Numbers.number(input)
            let divisor = Numbers.number(arguments.required(0))
            try renderer.spend(Number.stepsOfQuotient(number, divisor))
            guard let remainder = number.modulo(divisor) else {
                throw LiquidError(.zeroDivision, .dividedByZero)
            }
            return remainder.value
        },
        "abs": Filter(0) { (_, input, _) throws(LiquidError) in
            Numbers.number(input).magnitude.value
        },
        "at_least": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            let number = Numbers.number(input)
            let bound = Numbers.number(arguments.required(0))
            try renderer.spend(Number.stepsOfSum(number, bound))
            return (number < bound ? bound : number).value
        },
        "at_most": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            let number = Numbers.number(input)
            let bound = Numbers.number(arguments.required(0))
            try renderer.spend(Number.stepsOfSum(number, bound))
            return (bound < number ? bound : number).value
        },
        "ceil": Filter(0) { (_, input, _) throws(LiquidError) in
            try finite(input).rounded(.up).value
        },
        "floor": Filter(0) { (_, input, _) throws(LiquidError) in
            try finite(input).rounded(.down).value
        },
        "round": Filter(0...1) { (_, input, arguments) throws(LiquidError) in
            // No number has more digits than that.
            let places = min(max(Numbers.number(arguments[0] ?? .int(0)).integer, -400), 400)
            return try finite(input).rounded(.halfAwayFromZero, places: places).value
        },
    ]

    private static func finite(_ input: LiquidValue) throws(LiquidError) -> Number {
        let number = Numbers.number(input)
        if case .double(let double) = number, !double.isFinite {
            let name = NumberFormatting.text(double) + (double.isNaN ? "' (Not a Number)" : "'")
            throw LiquidError(.floatDomain, .noNumber, ["result": "\(name)"])
        }
        return number
    }
}
