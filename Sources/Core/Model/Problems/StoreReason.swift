import Reasons

/// Why the database cannot be opened, read or written, and what to do about it.
///
/// Only who runs the server reads it, in the log, at `/ready` and on the command line: it is said in
/// English.
package enum StoreReason: String, ReasonCode {
    package static let family = ReasonFamily.store

    case cannotBeClaimed = "the database {path} cannot be claimed: {reason}"
    case cannotBeLocked =
        "the database {path} cannot be claimed: {lock} cannot be opened: {reason}"
    case cannotBeOpened =
        "the database {path} cannot be opened: {reason}. Check the folder and its rights."
    case cannotBeSeen = "the database {path} cannot be looked at: {reason}"
    case cannotBeMoved = """
        {column} is {value} in the row with {row} of {path}, and no other database keeps that as {kind}. \
        Correct it and move again
        """
    case copyUnreadable = "{path} cannot be read: {reason}"
    case damaged = """
        the database {path} is damaged{detail}. Stop the server, copy the file with its -wal and \
        -shm to a safe place, then restore a backup, or save what can be read with: sqlite3 {path} \
        .recover | sqlite3 recovered.sqlite
        """
    case diskFull = "the disk is full; make room where {path} is"
    case failed = "the database cannot be written: {reason}"
    case fileUnusable = """
        a file of the database {path} cannot be opened; see the folder, its rights and the limit of \
        open files
        """
    case hardLinks = """
        the database {path} has {count} names (hard links). Under each of them SQLite would keep a \
        log of its own and damage the file; remove the others.
        """
    case inUse = """
        the database {path} is in use: {holder}. Two on one file would lose data; stop that one, or \
        name another file with --database.
        """
    case inUseElsewhere = """
        the database {path} is in use: {holder}. Stop that one, and those that wait for it
        """
    case olderInUse = """
        the database {path} was written by an earlier version of Noroshi, and {holder}. Stop that one: the \
        next server of this version brings the database up to date
        """
    case locked = "the database {path} is locked{holders}; end what holds it"
    case movedInPart = """
        {table} has {source} rows and only {target} of them arrived; nothing was moved
        """
    case newer = """
        the database {path} was written by a newer version of Noroshi; use that version, or restore \
        a backup that this version wrote
        """
    case newerWithCopy = """
        the database {path} was written by a newer version of Noroshi; use that version. The way \
        back is {copy}, the copy from before the update: what was stored since is not in it. Move \
        the database with its -wal and -shm away and give the copy its name; the key file stays
        """
    case clockOff = """
        the clock of this server is {seconds} seconds away from that of the database {path}, and servers \
        that share their work need clocks that agree; set both by NTP and start it again
        """
    case noCopy = """
        the database {path} has to be brought up to date, and no copy of it can be written before \
        ({reason}). Make room for one beside it; where you have a backup, go on without: \
        --update-copy false
        """
    case noFile = """
        the database {path} is PostgreSQL's and no file; copy it with pg_dump or pg_basebackup
        """
    case noFileToRestore = """
        the database {path} is PostgreSQL's; restore it with pg_restore or from pg_basebackup, or \
        restore this backup into a file and move that (./noroshi move)
        """
    case noMemory = "there is no memory left for the database"
    case noSegments =
        "the rows do not say who is in a segment; ask the audience, and name its users"
    case notEmpty = """
        the database {path} holds something already, in {table}: a move needs a new one
        """
    case otherDatabase = """
        the pooler {pooler} leads to another database than {path}; correct --database-pooler or the \
        pooler's settings
        """
    case otherSchema = """
        the databases {source} and {target} do not have the same tables: {difference} is not the same in \
        both. Let one version of Noroshi bring both up to date
        """
    case readOnly = """
        the database {path} may not be written; give this program's user the right to write the \
        file and its folder
        """
    case superseded = """
        this process could not reach the database {path} for too long, and others do its part; start \
        it again
        """
    case unreachable = """
        the database {path} cannot be reached: {reason}. Start it, or correct --database.
        """
    case unreadable = """
        the database {path} cannot be read or written ({code}); the disk may be full, at a limit or \
        broken
        """
}
