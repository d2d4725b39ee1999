// An app that imports `Noroshi` alone can use the type of the values it passes.
@_exported import enum NoroshiWire.JSONValue
