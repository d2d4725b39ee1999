// An app that imports `Noroshi` alone can name the values it hands over.
@_exported import enum NoroshiWire.JSONValue
