#include "CSQLite.h"

#include <sqlite3.h>

void sqlite_does_not_count_memory(void) {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
