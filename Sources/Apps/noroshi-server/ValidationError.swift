import ArgumentParser

/// What is wrong with a command as it was written; the services' own is `Model.ValidationError`.
typealias ValidationError = ArgumentParser.ValidationError
