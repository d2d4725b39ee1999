/// JSON that a column holds as a text, read as SQLite reads it.
extension PostgresSchema {
    /// Parts of a document.
    static let json = #"""
        -- The steps of a path: those of '$.a."b c"[0]' are {a,"b c",0}.
        CREATE FUNCTION json_path(path text) RETURNS text[]
        LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
            SELECT coalesce(array_agg(coalesce(step[1], step[2], step[3])), '{}')
            FROM regexp_matches(path, '\."([^"]*)"|\.([^.\["]+)|\[([0-9]+)\]', 'g') AS step
        $$;

        -- Escapes of U+0000 and of halves of pairs, which PostgreSQL does not read, become U+FFFD.
        CREATE FUNCTION readable_escapes(document text) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
            SELECT regexp_replace(
                document,
                '((?:^|[^\\])(?:\\\\)*)'
                    || '(\\u0000|\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])'
                    || '|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2})',
                '\1\\ufffd',
                'g')
        $$;
        CREATE FUNCTION stored_json(document text) RETURNS json
        LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
        BEGIN
            IF strpos(document, '\u') > 0 THEN document := readable_escapes(document); END IF;
            RETURN document;
        END $$;

        -- What SQLite's `->>` gives, as a text; `true` and `false` are 1 and 0.
        CREATE FUNCTION json_text(document text, path text[]) RETURNS text
        LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
        DECLARE part json;
        BEGIN
            IF strpos(document, '\u') > 0 THEN
                part := stored_json(document) #> path;
            ELSE
                part := document::json #> path;
            END IF;
            RETURN CASE part::text WHEN 'true' THEN '1' WHEN 'false' THEN '0' ELSE part #>> '{}' END;
        END $$;

        -- What SQLite's `->` gives: JSON as a text.
        CREATE FUNCTION json_part(document text, path text[]) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (stored_json(document) #> path)::text;

        CREATE FUNCTION json_type(document text, path text DEFAULT '$') RETURNS text
        LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
        DECLARE part json := stored_json(document);
        BEGIN
            IF path <> '$' THEN part := part #> json_path(path); END IF;
            RETURN CASE json_typeof(part)
                WHEN 'string' THEN 'text'
                WHEN 'boolean' THEN part::text
                WHEN 'number' THEN CASE WHEN part::text ~ '^-?[0-9]+$' THEN 'integer' ELSE 'real' END
                ELSE json_typeof(part) END;
        END $$;

        CREATE FUNCTION json_valid(document text) RETURNS boolean
        LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
        BEGIN
            PERFORM document::json;
            RETURN document IS NOT NULL;
        EXCEPTION WHEN invalid_text_representation OR statement_too_complex THEN
            RETURN FALSE;
        END $$;

        -- A text as JSON, for `json_set`, and as a string of JSON.
        CREATE FUNCTION json(document text) RETURNS json
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN stored_json(document);
        CREATE FUNCTION json_quote(value text) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN to_json(value)::text;

        CREATE FUNCTION json_set(document text, path text, value text) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN jsonb_set(stored_json(document)::jsonb, json_path(path), to_jsonb(value))::text;
        CREATE FUNCTION json_set(document text, path text, value json) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN jsonb_set(stored_json(document)::jsonb, json_path(path), value::jsonb)::text;
        CREATE FUNCTION json_remove(document text, path text) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN (stored_json(document)::jsonb #- json_path(path))::text;
        """#

    /// Lists, also those that statements are given as one parameter.
    static let lists = """
        -- The elements of a list or the members of an object.
        CREATE FUNCTION json_each(document text, path text DEFAULT '$')
        RETURNS TABLE (key text, value text, type text)
        LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE ROWS 100 AS $$
        DECLARE part json := stored_json(document);
        BEGIN
            IF path <> '$' THEN part := part #> json_path(path); END IF;
            RETURN QUERY
            SELECT element.key,
                CASE element.value::text WHEN 'true' THEN '1' WHEN 'false' THEN '0'
                    ELSE element.value #>> '{}' END,
                json_type(element.value::text)
            FROM (
                SELECT (place - 1)::text AS key, list.value
                FROM json_array_elements(CASE json_typeof(part) WHEN 'array' THEN part END)
                    WITH ORDINALITY AS list (value, place)
                UNION ALL
                SELECT member.key, member.value
                FROM json_each(CASE json_typeof(part) WHEN 'object' THEN part END) AS member
                UNION ALL
                SELECT NULL, part WHERE json_typeof(part) NOT IN ('array', 'object')
            ) AS element;
        END $$;

        -- The elements of a list as an array; an empty one of NULL.
        CREATE FUNCTION json_integers(list text) RETURNS bigint[]
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE WHEN list ~ '^\\[(-?[0-9]{1,18}(,-?[0-9]{1,18})*)?\\]$'
            THEN translate(list, '[]', '{}')::bigint[]
            ELSE (
                SELECT coalesce(array_agg(as_integer(value)), '{}')
                FROM json_array_elements_text(list::json) AS element (value)) END;
        CREATE FUNCTION json_texts(list text) RETURNS text[]
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN (
            SELECT coalesce(array_agg(value), '{}')
            FROM json_array_elements_text(list::json) AS element (value));

        -- SQLite's text of an object with these two.
        CREATE FUNCTION consent(subject text, state text) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN '{"subject":' || coalesce(to_json(subject)::text, 'null')
            || ',"state":' || coalesce(to_json(state)::text, 'null') || '}';
        """
}
