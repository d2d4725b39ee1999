/// The current and former contents of the variants of in-app messages.
enum InAppVariantSchema {
    /// Previously devices reported a variant by its position; the current contents get their
    /// positions as numbers. Earlier contents of a position are unknown.
    static let sql = """
        CREATE TABLE in_app_variants (
            message_id BLOB NOT NULL
                REFERENCES in_app_messages (api_id) ON UPDATE CASCADE ON DELETE CASCADE,
            number INTEGER NOT NULL,
            variant_id TEXT NOT NULL,
            content TEXT NOT NULL,
            -- Whether devices may have had it.
            is_given INTEGER NOT NULL,
            PRIMARY KEY (message_id, number)
        ) WITHOUT ROWID;
        CREATE TEMP TABLE variant_places AS
            SELECT api_id, 0 AS place,
                json_remove(message, '$.id', '$.rules', '$.variant') AS content
            FROM in_app_messages
            WHERE experiment IS NOT NULL AND (json_array_length(experiment, '$.others') > 0
                OR experiment ->> '$.controlShare' > 0)
            UNION ALL
            SELECT api_id, key + 1, json_remove(value, '$.id', '$.rules', '$.variant')
            FROM in_app_messages CROSS JOIN json_each(experiment, '$.others')
            WHERE experiment IS NOT NULL;
        INSERT INTO in_app_variants
            SELECT api_id, place,
                substr(id, 1, 8) || '-' || substr(id, 9, 4) || '-4' || substr(id, 14, 3) || '-8'
                    || substr(id, 18, 3) || '-' || substr(id, 21, 12),
                content, 1
            FROM (
                SELECT api_id, place, content, hex(randomblob(16)) AS id FROM variant_places
                ORDER BY api_id, place LIMIT -1
            );
        UPDATE in_app_messages SET experiment = json_set(experiment, '$.identities', (
                SELECT json_group_array(json_object('id', variant_id, 'number', number))
                FROM (SELECT * FROM in_app_variants WHERE message_id = api_id ORDER BY number)
            ))
            WHERE api_id IN (SELECT message_id FROM in_app_variants);
        DROP TABLE temp.variant_places;
        """
}
