// An app imports `Noroshi` alone; the module below it holds what extensions need too.
@_exported import NoroshiOutbox
