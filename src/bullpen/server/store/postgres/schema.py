"""The tables and functions in the database, and every change that they have seen, in order.

What must be whole is done by functions in the database: a call is one round trip and one transaction, so no
process can fall asleep in the middle of it and keep others waiting. A function is never changed, only
followed by one with the next number: processes of two versions share a database during an upgrade.
"""

_TABLES = """
CREATE TABLE facts (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);
CREATE TABLE tables (
    id text COLLATE "C" PRIMARY KEY,
    code text COLLATE "C" NOT NULL,
    -- A table in the archive gives its code up, and may find it taken when it comes back.
    live_code text COLLATE "C" UNIQUE,
    created bigint NOT NULL,
    archived boolean NOT NULL DEFAULT false
);
CREATE INDEX tables_by_code ON tables (code);
CREATE INDEX open_tables ON tables (created) WHERE NOT archived;
CREATE TABLE steps (
    table_id text COLLATE "C" NOT NULL REFERENCES tables (id),
    number integer NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (table_id, number)
);
CREATE TABLE folds (
    table_id text COLLATE "C" PRIMARY KEY REFERENCES tables (id),
    number integer NOT NULL,
    body bytea NOT NULL
);
CREATE TABLE records (
    id text COLLATE "C" PRIMARY KEY,
    game text NOT NULL,
    finished bigint NOT NULL,
    summary bytea NOT NULL,
    body text NOT NULL
);
CREATE TABLE record_people (
    who text COLLATE "C" NOT NULL,
    record_id text COLLATE "C" NOT NULL REFERENCES records (id),
    seat integer NOT NULL,
    PRIMARY KEY (who, record_id)
);
CREATE INDEX people_by_record ON record_people (record_id);
CREATE TABLE reviews (
    record_id text COLLATE "C" PRIMARY KEY REFERENCES records (id),
    version integer NOT NULL,
    body bytea NOT NULL
);
CREATE TABLE devices (
    id text COLLATE "C" PRIMARY KEY,
    who text COLLATE "C" NOT NULL,
    label text NOT NULL,
    made bigint NOT NULL,
    seen bigint NOT NULL,
    revoked boolean NOT NULL DEFAULT false
);
CREATE INDEX devices_by_person ON devices (who);
CREATE INDEX devices_by_seen ON devices (seen);
CREATE INDEX revoked_devices ON devices (id) WHERE revoked;
CREATE TABLE voids (
    who text COLLATE "C" PRIMARY KEY,
    links bigint NOT NULL,
    everything bigint NOT NULL,
    keep text NOT NULL
);
"""

_OWNERS = """
-- Who shares this database. A row that is gone was retired or struck: its name never comes back.
CREATE TABLE processes (
    name text COLLATE "C" PRIMARY KEY,
    address text NOT NULL,
    ends timestamptz NOT NULL
) WITH (fillfactor = 50);
-- An owner that is not among the processes is none.
CREATE TABLE owners (
    table_id text COLLATE "C" PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
    process text COLLATE "C" NOT NULL,
    epoch bigint NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX owners_by_process ON owners (process);
-- What every process may know of a table without asking its owner.
CREATE TABLE heads (
    table_id text COLLATE "C" PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
    line bytea NOT NULL,
    people text[] NOT NULL,
    listed timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX heads_by_person ON heads USING gin (people);
CREATE INDEX heads_by_end ON heads (listed);
"""

_WRITING = """
-- The fence. Whoever strikes a process needs its row alone, so a write is wholly before that or refused. The
-- row is locked by a statement of its own: the next one sees what was committed while this one waited.
CREATE FUNCTION bullpen_fence_1(me text, of_tables text[], in_epochs bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM processes WHERE name = me FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the process % is not on the list', me USING ERRCODE = '{fenced}';
    END IF;
    PERFORM FROM unnest(of_tables, in_epochs) AS wanted (id, at)
        LEFT JOIN owners ON table_id = id AND process = me AND epoch = at
        WHERE table_id IS NULL;
    IF FOUND THEN
        RAISE EXCEPTION 'the process % does not own all of these tables', me USING ERRCODE = '{fenced}';
    END IF;
END $$;

CREATE FUNCTION bullpen_steps_1(of_tables text[], numbers integer[], bodies bytea[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    -- A process that has missed a fold must not write a step anew that the fold stands for.
    PERFORM FROM unnest(of_tables, numbers) AS new (id, place)
        JOIN folds ON table_id = id AND number >= place;
    IF FOUND THEN
        RAISE EXCEPTION 'that step is folded' USING ERRCODE = '{conflict}';
    END IF;
    INSERT INTO steps SELECT * FROM unnest(of_tables, numbers, bodies);
END $$;

-- What most groups are: answers at tables that are there.
CREATE FUNCTION bullpen_write_1(
    me text, of_tables text[], in_epochs bigint[],
    step_tables text[], step_numbers integer[], step_bodies bytea[]
) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF me <> '' THEN
        PERFORM bullpen_fence_1(me, of_tables, in_epochs);
    END IF;
    PERFORM bullpen_steps_1(step_tables, step_numbers, step_bodies);
END $$;

CREATE FUNCTION bullpen_write_all_1(
    me text, of_tables text[], in_epochs bigint[],
    step_tables text[], step_numbers integer[], step_bodies bytea[],
    new_tables text[], new_codes text[], new_times bigint[],
    fold_tables text[], fold_numbers integer[], fold_bodies bytea[],
    record_ids text[], record_games text[], record_times bigint[], record_summaries bytea[],
    record_bodies text[], people text[], people_records text[], people_seats integer[]
) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF me <> '' THEN
        PERFORM bullpen_fence_1(me, of_tables, in_epochs);
    END IF;
    INSERT INTO tables (id, code, live_code, created)
        SELECT id, code, code, time FROM unnest(new_tables, new_codes, new_times) AS new (id, code, time);
    IF me <> '' THEN
        INSERT INTO owners SELECT id, me, 1 FROM unnest(new_tables) AS new (id);
    END IF;
    PERFORM bullpen_steps_1(step_tables, step_numbers, step_bodies);
    INSERT INTO folds SELECT * FROM unnest(fold_tables, fold_numbers, fold_bodies)
        ON CONFLICT (table_id) DO UPDATE SET number = excluded.number, body = excluded.body;
    DELETE FROM steps USING unnest(fold_tables, fold_numbers) AS new (id, upto)
        WHERE table_id = id AND number <= upto;
    INSERT INTO records (id, game, finished, summary, body)
        SELECT * FROM unnest(record_ids, record_games, record_times, record_summaries, record_bodies);
    INSERT INTO record_people SELECT * FROM unnest(people, people_records, people_seats);
END $$;
"""

_CLAIMING = """
CREATE FUNCTION bullpen_claim_1(wanted text, me text) RETURNS TABLE (owner text, place text, at bigint)
LANGUAGE plpgsql AS $$
DECLARE
    mine text;
    theirs text;
    held record;
BEGIN
    SELECT address INTO mine FROM processes WHERE name = me AND ends > clock_timestamp() FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the process % is not on the list', me USING ERRCODE = '{fenced}';
    END IF;
    PERFORM FROM tables WHERE id = wanted FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no table %', wanted USING ERRCODE = '{conflict}';
    END IF;
    INSERT INTO owners VALUES (wanted, '', 0) ON CONFLICT DO NOTHING;
    SELECT * INTO held FROM owners WHERE table_id = wanted FOR UPDATE;
    IF held.process = me THEN
        RETURN QUERY SELECT me, mine, held.epoch;
        RETURN;
    END IF;
    -- Whose lease has run out is struck, once what it is writing is written; unless it renews while we wait.
    DELETE FROM processes WHERE name = held.process AND ends <= clock_timestamp();
    SELECT address INTO theirs FROM processes WHERE name = held.process;
    IF FOUND THEN
        RETURN QUERY SELECT held.process, theirs, held.epoch;
        RETURN;
    END IF;
    UPDATE owners SET process = me, epoch = held.epoch + 1 WHERE table_id = wanted;
    RETURN QUERY SELECT me, mine, held.epoch + 1;
END $$;

CREATE FUNCTION bullpen_release_1(me text, of_tables text[], heir text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    alive boolean;
BEGIN
    -- What is being written is written first.
    PERFORM FROM processes WHERE name = me FOR UPDATE;
    SELECT true INTO alive FROM processes WHERE name = heir AND ends > clock_timestamp() FOR KEY SHARE;
    UPDATE owners
        SET process = CASE WHEN alive THEN heir ELSE '' END,
            epoch = CASE WHEN alive THEN epoch + 1 ELSE epoch END
        WHERE process = me AND table_id = ANY (of_tables);
END $$;
"""

_NUMBERS = """-- Revocations by number, and tokens of bots that end.
-- The numbers begin at the times that were compared before.
ALTER TABLE devices ADD COLUMN since bigint NOT NULL DEFAULT 0, ADD COLUMN ends bigint NOT NULL DEFAULT 0;
UPDATE devices SET since = made / 1000;
"""

_MEASURES = """-- Measures: whom a host has banned, whether sign-up is closed, and what is announced.
CREATE TABLE measures (
    kind text COLLATE "C" NOT NULL,
    about text COLLATE "C" NOT NULL,
    made bigint NOT NULL,
    until bigint NOT NULL,
    says text NOT NULL,
    PRIMARY KEY (kind, about)
);
"""

MIGRATIONS = (
    "-- The tables of version 1, and the functions that write to them.\n"
    + _TABLES
    + _OWNERS
    + _WRITING
    + _CLAIMING,
    _NUMBERS,
    _MEASURES,
)
"""Every change, in order, each with a sentence in its first line; the database says how many it has had."""
