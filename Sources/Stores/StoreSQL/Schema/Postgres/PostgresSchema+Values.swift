/// Functions that SQLite has and PostgreSQL lacks, and those that translated statements call.
///
/// Those that an index or a column is made with call none of ours by a name that is looked up when they
/// run: a dump is read in without a `search_path`.
extension PostgresSchema {
    /// Numbers, truths and bytes.
    static let values = #"""
        -- What SQLite's `CAST(… AS INTEGER)` gives: of a text the number that it begins with.
        CREATE FUNCTION as_integer(value bigint) RETURNS bigint
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN value;
        CREATE FUNCTION as_integer(value boolean) RETURNS bigint
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN value::int::bigint;
        CREATE FUNCTION as_integer(value numeric) RETURNS bigint
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN least(greatest(trunc(value), -9223372036854775808), 9223372036854775807)::bigint;
        CREATE FUNCTION as_integer(value double precision) RETURNS bigint
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE WHEN value >= 9223372036854775807 THEN 9223372036854775807
            WHEN value <= -9223372036854775808 THEN -9223372036854775808
            WHEN value = 'NaN' THEN 0
            ELSE trunc(value)::bigint END;
        CREATE FUNCTION as_integer(value text) RETURNS bigint
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE WHEN value ~ '^-?[0-9]{1,18}$' THEN value::bigint
            WHEN value IS NOT NULL THEN as_integer(
                coalesce(substring(value FROM '^\s*([-+]?[0-9]+)'), '0')::numeric) END;

        -- What SQLite's `CAST(… AS REAL)` gives.
        CREATE FUNCTION as_real(value bigint) RETURNS double precision
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN value::double precision;
        CREATE FUNCTION as_real(value numeric) RETURNS double precision
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN value::double precision;
        CREATE FUNCTION as_real(value double precision) RETURNS double precision
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN value;
        CREATE FUNCTION as_real(value text) RETURNS double precision
        LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
        BEGIN
            IF value IS NULL THEN RETURN NULL; END IF;
            -- Small enough for any exponent that it can have.
            IF value ~ '^-?[0-9]{1,15}(\.[0-9]{1,15})?([eE][-+]?[0-9]{1,2})?$' THEN
                RETURN value::double precision;
            END IF;
            BEGIN
                RETURN coalesce(
                    substring(value FROM
                        '^\s*([-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)'),
                    '0')::double precision;
            EXCEPTION WHEN numeric_value_out_of_range THEN
                RETURN CASE WHEN value ~ '^\s*[-+]?[0-9.]*[eE]-' THEN '0'::double precision
                    WHEN value ~ '^\s*-' THEN '-infinity' ELSE 'infinity' END;
            END;
        END $$;

        -- Whether a value counts as true where a condition is asked for.
        CREATE FUNCTION truth(value bigint) RETURNS boolean
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN value <> 0;
        CREATE FUNCTION truth(value double precision) RETURNS boolean
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN value <> 0;
        CREATE FUNCTION truth(value boolean) RETURNS boolean
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN value;
        CREATE FUNCTION truth(value text) RETURNS boolean
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN as_real(value) <> 0;

        -- The functions of two values that SQLite gives the names of aggregates; NULL if one of them is.
        CREATE FUNCTION max(one bigint, other bigint) RETURNS bigint
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN int8larger(one, other);
        CREATE FUNCTION min(one bigint, other bigint) RETURNS bigint
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN int8smaller(one, other);
        CREATE FUNCTION max(one double precision, other double precision) RETURNS double precision
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN float8larger(one, other);
        CREATE FUNCTION min(one double precision, other double precision) RETURNS double precision
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN float8smaller(one, other);

        -- Half away from zero, as in SQLite.
        CREATE FUNCTION rounded(value double precision) RETURNS double precision
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN trunc(value + CASE WHEN value < 0 THEN -0.5 ELSE 0.5 END);
        CREATE AGGREGATE total(double precision) (
            SFUNC = float8pl, STYPE = double precision, INITCOND = '0');
        CREATE FUNCTION hex(value bytea) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN upper(encode(value, 'hex'));
        -- What SQLite's `CAST(… AS BLOB)` gives.
        CREATE FUNCTION as_bytes(value text) RETURNS bytea
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN convert_to(value, 'UTF8');
        CREATE FUNCTION as_bytes(value bytea) RETURNS bytea
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN value;
        CREATE FUNCTION zeroblob(length bigint) RETURNS bytea
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN decode(repeat('00', length::int), 'hex');
        """#
}
