"""Writes docs/postgresql-conformance.md from what the judges said, or checks that it says the same.

    write_page.py --write | --check RESULTS PAGE

RESULTS is the folder that judge.sh fills: postgresql.json and one text per judge.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from write_page import keep, lines_with, mutation_table, read  # noqa: E402

DOCS = "postgresql.org/docs/15/"

# What there is, and who says that the real server does so.
MODELLED = [
    ("tables", "columns of `bigint` and `text collate \"C\"`, nullable or not; primary keys and unique constraints of one or more columns, in which rows with a null never conflict", "ddl-constraints"),
    ("autocommit and transactions", "BEGIN (twice is a warning), COMMIT, ROLLBACK; an error aborts the transaction until one of the two, everything else fails with 25P02, and COMMIT answers ROLLBACK", "tutorial-transactions; xact.c"),
    ("snapshots", "each statement sees what was committed when it began, and its own transaction", "transaction-iso, 13.2.1"),
    ("INSERT", "NOT NULL first (23502), then the keys in the order of their declaration (23505, with the constraint's name); it waits for a transaction that has inserted, changed or deleted a row with its key, and then looks again; its own row is there, and makes others wait, while it waits for a second key", "ExecInsert in nodeModifyTable.c, _bt_doinsert in nbtinsert.c"),
    ("INSERT … ON CONFLICT DO NOTHING", "looks at all keys before the row is there; waits likewise; then inserts, or skips with `INSERT 0 0`, and after any wait begins once more at the first key", "ExecInsert, check_exclusion_or_unique_constraint in execIndexing.c"),
    ("UPDATE, DELETE", "conditions on constants and now(); counts of affected rows; a row that another transaction has changed is waited for, looked at again as it is now, and left alone if it has stopped to match (but stays locked); new values are computed before the wait, and once more if the row has changed (22003 when out of range)", "transaction-iso, 13.2.1; EvalPlanQual in execMain.c"),
    ("SELECT", "conditions, ORDER BY, LIMIT; FOR UPDATE waits and looks again, with SKIP LOCKED leaves out, with NOWAIT fails with 55P03; LIMIT counts rows that were locked", "sql-select, The Locking Clause"),
    ("order without ORDER BY", "that of a sequential scan of a table on which no place was used again: the version written first comes first", "observed; heap_page_prune_opt in pruneheap.c"),
    ("queues", "of those who wait for one row the first waits for the transaction, the others for their turn", "access/heap/README.tuplock"),
    ("deadlocks", "whoever has waited for deadlock_timeout looks, once, whether it waits for itself, and if so fails with 40P01; others who are in the circle go on", "explicit-locking, 13.3.4; DeadLockCheck in deadlock.c"),
    ("timeouts", "lock_timeout for each wait (55P03), statement_timeout for the statement in all (57014); where both are due at once the first is told, and both before a deadlock", "runtime-config-client; ProcSleep in proc.c, ProcessInterrupts in postgres.c"),
    ("cancelling", "a waiting statement ends with 57014", "libpq-cancel"),
    ("connections", "as many as the limit, then 53300; a client that goes away rolls back its open transaction; one that goes away while its statement waits is not noticed, and the statement may even commit", "runtime-config-connection (client_connection_check_interval is 0)"),
    ("COMMIT whose answer is lost", "is committed", "protocol-flow"),
    ("time", "now() is when the transaction began, by the server's wall clock", "functions-datetime, 9.9.5"),
    ("a crash, synchronous_commit on", "loses open transactions and nothing that was committed", "wal-reliability"),
    ("a crash, synchronous_commit off", "also loses what was committed after the last flush, newest first: what is left is a prefix of the order of commits", "wal-async-commit"),
    ("failover to an asynchronous replica", "loses the commits of the last `lag`, and all connections", "warm-standby, 27.2.5"),
]

NOT_MODELLED = [
    ("a failover with synchronous_commit off", "both rules at once; judged by our own tests only"),
    ("joins, subqueries, aggregates, RETURNING, expressions other than `column + number`, types other than two, foreign keys, checks, defaults, sequences", "no actor needs them"),
    ("savepoints, ON CONFLICT DO UPDATE, advisory and shared locks (FOR SHARE), LOCK TABLE", "no actor needs them"),
    ("REPEATABLE READ and SERIALIZABLE", "no actor needs them"),
    ("prepared transactions, deferred constraints, triggers, LISTEN", "no actor needs them"),
    ("vacuum, pruning, planning, and the time that work takes", "a statement that does not wait takes no time"),
    ("the order of rows that ORDER BY leaves open, and of a scan by an index", "as a sequential scan; PostgreSQL promises neither"),
    ("which of several processes runs first when one commit sets them free", "the longest waiting first; a real server's processes race"),
]

# The judge fixes these on the real server's side; so nothing is compared as a set.
FIXED = [
    ("the time of day", "a preloaded library reads it from a page that the judge writes: now() is compared to the microsecond"),
    ("when deadlines are looked at", "the same library lets no timer fire; the judge sends SIGALRM to the process whose deadline has come. So the victim of a deadlock is the one whose deadlock_timeout ends first, and is compared"),
    ("who runs", "one process at a time: whoever the server's own view of its locks (pg_locks, pg_blocking_pids) shows waiting is stopped, and goes on when that view no longer shows it, in the model's order"),
    ("sequential scans", "enable_indexscan, enable_indexonlyscan and enable_bitmapscan are off, and an interleaving ends before a page is full"),
    ("the log writers, with synchronous_commit off", "stopped; the judge flushes by a commit of its own when the model does"),
]


def table(head: list[str], rows: list) -> list[str]:
    return ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head), *("| " + " | ".join(row) + " |" for row in rows)]


def counts(compared: dict) -> list[str]:
    rows = [(count["what"], f"{count['value']:,}") for count in compared["counts"]]
    return ["| what both agreed on | in this run |", "| --- | ---: |", *("| " + " | ".join(row) + " |" for row in rows)]


def check_readme(compared: dict) -> None:
    """What README.md says of the run is what it was."""
    readme = Path(__file__).resolve().parents[3] / "README.md"
    figures = f"{compared['interleavings']:,} interleavings of {compared['statements']:,} statements agree"
    if figures not in readme.read_text():
        sys.exit(f"{readme} does not say: {figures}")


def page(results: Path) -> str:
    summary = json.loads((results / "postgresql.json").read_text())
    compared = summary["interleavings"]
    check_readme(compared)
    on, off = (summary[f"kills with synchronous_commit {value}"] for value in ("on", "off"))
    failovers = summary["failovers"]
    mutations = read(results, "postgresql-mutations")
    return "\n".join([
        "# How the database model is judged",
        "",
        "<!-- Written by tests/conformance/postgresql/write_page.py; ./dev test --conformance checks it. -->",
        "",
        f"The database model answers like PostgreSQL {compared['version'].split('.')[0]} at READ COMMITTED. A real server says so, started by the",
        "judge on a Unix socket with data of its own. `./dev test --conformance --only postgresql` came to this:",
        "",
        "```",
        f"interleavings: {compared['interleavings']} of {compared['statements']} statements agree",
        *lines_with(read(results, "postgresql"), r"^(limit|kills|failovers)"),
        *lines_with(read(results, "postgresql-stories"), r"^stories:"),
        *lines_with(mutations, r"^mutations:"),
        "```",
        "",
        "An interleaving is what two to four sessions say, one statement after the other, to tables that are",
        "generated too: two to five columns, one to three unique keys, which are changed by UPDATE and deleted and",
        "inserted again while others wait for them. Compared are every result with its rows in their order, every",
        "count of affected rows, every SQLSTATE with the constraint's name, who waits and for whom after every",
        "step, and what the tables hold at the end. A mismatch is shrunk and shown with a column for each session.",
        "Clients go away too: idle, in a transaction, while they wait, and right after COMMIT was sent.",
        "",
        "The same is done with what the actors of the catalogue's stories say to their database, faults included,",
        "but for a loss of the server or of its time. They speak to the model through the same calls as the judge",
        "does.",
        "",
        *counts(compared),
        "",
        "A run that meets one of these fewer than 200 times fails (clients that left while waiting: 100, numbers",
        "out of range: 20).",
        "",
        f"Kills are SIGKILL to all processes at a random step, with transactions open and statements waiting. With",
        f"synchronous_commit on, all {on['survived']} rows that were committed were there after {on['losses']} of them. With it off,",
        f"{off['lossy']} of {off['losses']} lost something, and what was left was what the model says: a prefix of the order of commits.",
        f"In {failovers['losses']} failovers the link to a streaming replica was frozen at one step, the primary killed at a later one,",
        f"and the replica promoted: {failovers['lossy']} lost something, and the replica held what the model says.",
        "",
        "A longer run: `./dev test --conformance --only postgresql --interleavings 200000 --seed 1000000`.",
        "",
        "## What the judge fixes",
        "",
        "A real server's processes race. Instead of comparing what hangs on a race as a set, the judge decides it:",
        "",
        *table(["what", "how"], FIXED),
        "",
        "## What is modelled",
        "",
        f"Sources are pages of {DOCS} and files of PostgreSQL's source.",
        "",
        *table(["part", "what is as in the real server", "source"], MODELLED),
        "",
        "## What is not modelled",
        "",
        *table(["what", "instead"], NOT_MODELLED),
        "",
        "## Wrong databases",
        "",
        "A judge that finds nothing may be blind. So small mistakes were put into the model, one at a time. Each was",
        "found:",
        "",
        *mutation_table("wrong database", mutations),
        "",
        "A wrong database gives false comfort or false alarms. The first five, put into redeliver itself, change what",
        "these stories say:",
        "",
        *mutation_table("wrong database", read(results, "postgresql-verdicts")),
        "",
    ])


if __name__ == "__main__":
    keep(page, sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
