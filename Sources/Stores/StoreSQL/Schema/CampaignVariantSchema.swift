/// The texts that campaigns have sent, each under its own number.
///
/// Previously a dispatch stored the position of a variant in the list of its launch, and
/// identifiers were assigned by position, so that after an edit one position meant several texts.
/// Variants that share an identifier and a name are treated as one; the dispatches of edited
/// campaigns get their numbers.
enum CampaignVariantSchema {
    static let sql = """
        CREATE TABLE campaign_variants (
            campaign_id INTEGER NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            api_id TEXT NOT NULL,
            name TEXT NOT NULL,
            message TEXT NOT NULL,
            PRIMARY KEY (campaign_id, number)
        ) WITHOUT ROWID;

        CREATE TEMP TABLE variant_places AS
            SELECT campaign_id, sends.id AS send_id, key AS place, value ->> '$.apiID' AS api_id,
                value ->> '$.name' AS name, value -> '$.message' AS message
            FROM sends CROSS JOIN json_each(content, '$.launch.content.variants')
            WHERE campaign_id IN (SELECT id FROM campaigns)
            UNION ALL
            SELECT campaigns.id, 9223372036854775807, key, value ->> '$.apiID', value ->> '$.name',
                value -> '$.message'
            FROM campaigns CROSS JOIN json_each(content, '$.variants');
        CREATE INDEX temp.variant_places_by_name
            ON variant_places (campaign_id, api_id, name, send_id);
        INSERT INTO campaign_variants
            SELECT campaign_id,
                row_number() OVER (PARTITION BY campaign_id ORDER BY first_send, first_place) - 1,
                api_id, name,
                (SELECT message FROM variant_places AS places
                    WHERE places.campaign_id = firsts.campaign_id
                    AND places.api_id = firsts.api_id AND places.name = firsts.name
                    ORDER BY send_id DESC LIMIT 1)
            FROM (
                SELECT campaign_id, api_id, name, min(send_id) AS first_send,
                    min(place) AS first_place
                FROM variant_places GROUP BY campaign_id, api_id, name
            ) AS firsts;

        CREATE TEMP TABLE variant_numbers AS
            SELECT places.campaign_id, send_id, place, number
            FROM variant_places AS places JOIN campaign_variants AS variants
                ON variants.campaign_id = places.campaign_id
                AND variants.api_id = places.api_id AND variants.name = places.name;
        CREATE INDEX temp.variant_numbers_by_send
            ON variant_numbers (send_id, campaign_id, place);
        CREATE TEMP TABLE moved_sends AS
            SELECT DISTINCT send_id, campaign_id FROM variant_numbers WHERE number <> place;
        UPDATE sends SET content = json_set(content, '$.launch.content.variants', (
                SELECT json_group_array(json_set(value, '$.number', number))
                FROM json_each(content, '$.launch.content.variants') JOIN variant_numbers
                    ON send_id = sends.id AND place = key
            ))
            WHERE id IN (SELECT send_id FROM moved_sends);
        UPDATE dispatches SET variant = (
                SELECT number FROM variant_numbers
                WHERE variant_numbers.send_id = dispatches.send_id AND place = variant
            )
            WHERE send_id IN (SELECT send_id FROM moved_sends) AND variant IS NOT NULL;
        UPDATE campaign_entries SET variant = (
                SELECT number FROM variant_numbers
                WHERE variant_numbers.send_id = campaign_entries.send_id AND place = variant
            )
            WHERE send_id IN (SELECT send_id FROM moved_sends) AND variant IS NOT NULL;
        UPDATE campaigns SET content = json_set(content, '$.variants', (
                SELECT json_group_array(json_set(value, '$.number', number))
                FROM json_each(content, '$.variants') JOIN variant_numbers
                    ON send_id = 9223372036854775807 AND campaign_id = campaigns.id AND place = key
            ))
            WHERE id IN (
                SELECT campaign_id FROM moved_sends WHERE send_id = 9223372036854775807);
        DROP TABLE temp.moved_sends;
        DROP TABLE temp.variant_numbers;
        DROP TABLE temp.variant_places;
        """
}
