#include "cli/help.h"

namespace redeliver::cli::help {

const std::string_view program =
    "redeliver runs gateways, a Redis stream, workers and a database on one simulated clock,\n"
    "breaks them on purpose, and judges what became of every message.\n"
    "\n"
    "A run is one message of a user; a trial is one simulation. A trial is decided by its story\n"
    "and its seed alone, so whatever happened can be seen again.";

const std::string_view after_program = R"(Begin with:
  redeliver list
      every story, with its one sentence
  redeliver run
      all of them; one line per story, and why for each that is not as expected
  redeliver replay crash-before-xack --seed 7
      one trial, step by step: a worker dies between its work and its XACK
  redeliver replay crash-before-xack --seed 7 --at 60
      stream, pending list and tables as they are after step 60, changes marked
  redeliver explain crash-before-xack
      the smallest trial that still breaks its promise, why it does, and what would keep it
  redeliver report crash-before-xack --out page
      the trial as a page for a browser: page/report.html
  redeliver run poison-to-dead-letter --set worker.poison_threshold=5
      the same story with one thing changed
  redeliver explore crash-before-xack
      every kind of fault at every step of the protocol, one at a time, all of them
  redeliver serve --port 6380
      the broker alone, for a real client: redis-cli -p 6380 XADD chat '*' user ada

Exit codes:
  0   everything as the stories expect
  1   a promise broke that was to hold, an expectation was not met, or a replay differs
  2   nothing was wrong, but something was not shown (a path not reached, a cap)
  64  the command line or a file cannot be used; one line says what and where
  70  redeliver itself failed, or its answer could not be written

Read on: README.md for the timeline, docs/ for how to write a story of your own;
'redeliver <command> --help' for each command.)";

const std::string_view after_list = R"(Examples:
  redeliver list                the stories that come with redeliver
  redeliver list --promises     what a story can expect to hold or to break
  redeliver list --paths        rare paths, which a story can insist on reaching
  redeliver list --faults       kinds of fault that a story can draw)";

const std::string_view after_run =
    R"(Each story says which promises hold, which break, and which rare paths must be reached.
A story that does not do as it says is a FAIL (exit code 1) or UNPROVEN (2).

Examples:
  redeliver run
      the whole catalogue ('long' excepted, which is for measuring)
  redeliver run crash-before-xack mine/story.json --seeds 1000
      these two, with the seeds 1 to 1,000
  redeliver run standard --set worker.idle_threshold=5s --out findings
      with one thing changed; what is unexpected is kept in findings/<story>/<seed>/case.json,
      and the whole answer in findings/report.json
  redeliver run --json | jq '.stories[] | select(.as_expected | not) | .name'

Columns: the seeds tried; how many distinct behaviours they showed (orders of steps, times left
aside); trials per second; rare paths reached of those that must be; what came of it.)";

const std::string_view after_replay = R"(Examples:
  redeliver replay crash-before-xack --seed 7
      the trial of one seed, and what became of every promise
  redeliver replay findings/standard/31/case.json
      a case: plan and seed are in the file, so it survives changes of redeliver, and the last
      lines say whether it went as recorded
  redeliver replay crash-before-xack --seed 7 --at 60
      all tables after step 60: + added, - removed, ~ changed, with the old value in [ ]
  redeliver replay crash-before-xack --seed 7 --all
      every request and every answer as well

The marks of a timeline (in ASCII where the locale is not UTF-8):
  ✂ ! crash     ↻ ^ restart    ‖ = pause     ✗ x lost        ⇉ % claim       ⚑ * promise broken
  ● o stored    ○ . absorbed   † d dead letter   ⌫ < forgotten   ✚ + heal   ╪ # network or clock)";

const std::string_view after_explain =
    R"(Drops faults, messages and actors, or keeps only one or two, moves faults earlier and rounds times,
as long as the same promise breaks in the same way. Then tells what is left, tries it without each fault, and with
single values of the system changed. With --out every line of what it found comes with the command
that shows it.

Examples:
  redeliver explain crash-before-xack
      the first seed in which something breaks; nothing is written
  redeliver explain crash-before-xack --out small.json
      the same; the shrunk case is kept, and again with each improvement
  redeliver explain standard --set worker.deduplicate=none --set database.unique_reply=absent
      after a change
  redeliver explain findings/standard/31/case.json --out small.json --json
      a case that 'run --out' wrote

Exit codes: 0 the story expects this promise to break, or says nothing of it; 1 it was to hold;
2 nothing broke, or a budget ended before the case was as small as it can be.)";

const std::string_view after_explore =
    R"(The strategy decides what is tried:
  enumerate  takes the story's own faults away, lets it run once without any, and tries every
             kind of fault at every point of every step of that; with --faults 2 also each later
             step of each trial that one fault has changed
  random     seed after seed with the faults that the story pins and draws, as 'run' does
  swarm      the same, with about half of the kinds of fault switched off in each seed
  priority   no fault, but other orders: actors go by drawn priorities that change at drawn steps
  mutate     begins as random does, and changes the plans that reached something new or rare
  exhaustive every order of concurrent steps of a tiny story, without a fault and with each single
             one

Examples:
  redeliver explore crash-before-xack
      all single faults, in a table: operation, point, kind of fault
  redeliver explore crash-before-xack --faults 2
      pairs as well, of crash, lose_request, lose_reply and crash_server unless --only names others
  redeliver explore standard --strategy swarm --seconds 60 --out found
      for a minute; the first attempt that breaks a promise is in found/standard/<promise>/case.json

Kinds of fault, of whoever performs the step:
  crash, lose_machine, under_request, short_pause, under_idle, long_pause, under_lease, over_lease,
  slow, redeploy, resubmit
of its connections:
  reset, half_open, lose_request, lose_reply, cut_requests, cut_replies, cut_off, latency
of the server that it asks:
  crash_server, lose_server, fail_over_server, pause_server, reset_server, clock_forward,
  clock_back, clock_fast, clock_slow
and what others tell that server:
  limit_memory, trim_stream, delete_consumer, destroy_group, group_to_start, group_to_end,
  hold_locks, take_connections

What an order is: messages that arrive, work that ends and processes that start may overtake each
other when they are due within --slack (5ms; of exhaustive 1us); each connection stays first in,
first out.

docs/explore.md tells what each is, and how complete 'all' is.)";

const std::string_view after_report =
    R"(The trial becomes a trace first, DIR/trace.jsonl; everything else is made of that. Beside it stands
DIR/case.json, which replay and explain take.

Formats:
  html         report.html, a page for a browser, whole in one file
  json         trace.json, the trace as one JSON document
  mermaid      sequence.mmd, a sequence diagram that GitHub and GitLab draw
  perfetto     perfetto.json, slices, flows and counters for ui.perfetto.dev
  shiviz       shiviz.log, every step with its vector clock, for ShiViz
  csv          ledger.csv, what became of every run, a row each
  ascii        chart.txt, a space-time chart for a terminal, in ASCII
  junit        junit.xml, a test case for each promise, for CI
  summary      summary.md, what happened, for the summary of a step of GitHub Actions
  annotations  annotations.txt, workflow commands for a job of GitHub Actions

Examples:
  redeliver report crash-before-xack --out page
      open page/report.html
  redeliver report findings/standard/31/case.json --out page
      of a case that run --out wrote
  redeliver report page/trace.jsonl --out page --format json
      of a trace, wherever it was made
  redeliver report no-reply-key --out ci --format junit,summary,annotations
      for continuous integration

docs/trace.md says what is in a trace, docs/exports.md who opens which format.)";

const std::string_view after_bench =
    R"(A planted bug is a mistake that real systems make, as one value of a small system that is right
otherwise. It counts as found when the promise it is known for breaks, and the very same plan and
seed keep that promise with the mistake taken back.

Strategies:
  random, swarm   seed after seed with the faults that the small system draws; see explore --help
  priority        other orders, each with a single fault somewhere
  mutate          begins as random does, and changes the plans that reached something new or rare
  enumerate-1     every single fault at every step
  enumerate-2     singles, then pairs, of crash, long_pause, lose_request, lose_reply and
                  lose_server; only of bugs that need two faults

Examples:
  redeliver bench --bugs
      all of them, twenty times each
  redeliver bench --bugs --repeats 1
      whether all are found, in a minute or two
  redeliver bench --bugs --only lease-without-fencing --out found
      one; found/lease-without-fencing/case.json is the smallest case for replay and explain

Exit codes: 0 all are found, and are as hard to find as the catalogue says; 1 not so.
docs/planted-bugs.md shows them all.)";

const std::string_view after_serve =
    R"(The broker that the stories run on, behind a socket, with the real clock: streams, groups, the
few other commands that workers need, RESP2 and RESP3. Nothing is written to disk. Ends at Ctrl-C
or SHUTDOWN.

Examples:
  redeliver serve
      on 127.0.0.1:6379, as redis-server 7.0.15 would answer
  redeliver serve --port 0 --redis-version 7.2
      on a free port, which the first line names
  redeliver serve --address 0.0.0.0 --allow-remote
      for the whole network; there is no password

docs/serve.md tells what is there and what is not.)";

}  // namespace redeliver::cli::help
