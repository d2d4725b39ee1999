// An extension imports `NoroshiExtensions` alone; it links no more of the SDK than this.
@_exported import NoroshiOutbox
