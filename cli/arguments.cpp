#include "cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <memory>
#include <thread>

#include "cli/bench_arguments.h"
#include "cli/errors.h"
#include "cli/explain_arguments.h"
#include "cli/explore_arguments.h"
#include "cli/help.h"
#include "cli/numbers.h"
#include "cli/report_arguments.h"
#include "cli/serve_arguments.h"
#include "scenarios/json/limits.h"
#include "scenarios/json/nearest.h"

namespace redeliver::cli {

namespace {

constexpr Bounds seed_bounds{.least = 0, .most = std::numeric_limits<std::uint64_t>::max()};
constexpr Bounds seeds_bounds{.least = 1, .most = scenarios::json::max_seeds};
constexpr Bounds jobs_bounds{.least = 1, .most = 256};
constexpr Bounds fault_bounds{.least = 1, .most = scenarios::json::max_faults};
constexpr Bounds step_bounds{.least = 1, .most = std::numeric_limits<sim::StepNumber>::max()};

/// Options as they are typed; numbers are read afterwards, so that all are refused in one way.
struct Typed {
    std::vector<std::string> stories;
    std::vector<std::string> settings;
    std::vector<std::string> without_faults;
    std::optional<std::string> branch_after;
    std::optional<std::string> branch_seed;
    bool without_schedule = false;
    std::string what;
    std::optional<std::string> seeds;
    std::optional<std::string> from;
    std::optional<std::string> jobs;
    std::optional<std::string> seed;
    std::optional<std::string> at;
    std::optional<std::string> out;
    bool json = false;
    bool quiet = false;
    bool all = false;
    bool promises = false;
    bool paths = false;
    bool faults = false;

    Format format() const { return json ? Format::json : Format::text; }
};

std::optional<std::uint64_t> number(const char* option, const std::optional<std::string>& text,
                                    Bounds bounds) {
    if (!text) return {};
    return parse_number(option, *text, bounds);
}

/// Leaves a line free between what a command is for and how it is called.
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_usage(const CLI::App* app, std::string name) const override {
        return "\n" + CLI::Formatter::make_usage(app, std::move(name));
    }
};

/// The parser and its commands.
class Parser {
public:
    Parser() {
        app_.require_subcommand(1);
        app_.footer(std::string(help::after_program));
        for (CLI::App* const each :
             {&app_, list_, run_, replay_, explain_, explore_, report_, bench_, serve_, version_})
            each->formatter(formatter());
        add_list();
        add_run();
        add_replay();
        version_->add_flag("--json", typed_.json, "as one JSON document");
    }

    Command parse(int argc, const char* const* argv) {
        if (argc < 2) return NothingWanted{app_.help()};
        refuse_unknown_command(argv[1]);
        try {
            app_.parse(argc, argv);
        } catch (const CLI::CallForHelp&) {
            return HelpWanted{app_.help()};
        } catch (const CLI::ParseError& error) {
            refuse(error);
        }
        return command();
    }

private:
    void add_json(CLI::App& command) {
        command.add_flag("--json", typed_.json, "as one JSON document");
    }

    void add_settings(CLI::App& command) {
        command
            .add_option("--set", typed_.settings,
                        "change one value: worker.idle_threshold=5s, workload.runs=3 (repeatable)")
            ->type_name("PATH=VALUE")
            ->allow_extra_args(false);
    }

    void add_list() {
        add_json(*list_);
        auto* const promises = list_->add_flag("--promises", typed_.promises, "promises instead");
        auto* const paths = list_->add_flag("--paths", typed_.paths, "rare paths instead");
        auto* const faults = list_->add_flag("--faults", typed_.faults, "kinds of fault instead");
        promises->excludes(paths)->excludes(faults);
        paths->excludes(faults);
        list_->footer(std::string(help::after_list));
    }

    void add_run() {
        run_->add_option("stories", typed_.stories,
                         "stories by name, or files (with a / or ending in .json); none is all")
            ->type_name("STORY");
        run_->add_option("--seeds", typed_.seeds,
                         "how many seeds to try (default: as the story says)")
            ->type_name("N");
        run_->add_option("--from", typed_.from, "the first seed (default 1)")->type_name("SEED");
        run_->add_option("--jobs", typed_.jobs, "threads (default: one per core)")->type_name("N");
        add_settings(*run_);
        add_json(*run_);
        run_->add_option("--out", typed_.out, "folder for case files and report.json")
            ->type_name("DIR");
        run_->add_flag("--quiet", typed_.quiet, "only what is unexpected, and the last line");
        run_->footer(std::string(help::after_run));
    }

    void add_replay() {
        replay_->add_option("story", typed_.what, "a story by name, its file, or a case")
            ->type_name("STORY|CASE")
            ->required();
        replay_->add_option("--seed", typed_.seed, "of a story (default 1)")->type_name("SEED");
        auto* const at = replay_->add_option("--at", typed_.at, "show all tables after this step")
                             ->type_name("STEP");
        replay_->add_flag("--all", typed_.all, "every step, also requests and idle polls");
        replay_
            ->add_option("--without-fault", typed_.without_faults,
                         "leave out the fault of this number (repeatable)")
            ->type_name("N")
            ->allow_extra_args(false);
        auto* const branch = replay_
                                 ->add_option("--branch-after", typed_.branch_after,
                                              "go on after this step without further faults")
                                 ->type_name("STEP")
                                 ->excludes(at);
        replay_
            ->add_option("--branch-seed", typed_.branch_seed,
                         "and with the draws of this seed (default: of its own)")
            ->type_name("SEED")
            ->needs(branch);
        replay_->add_flag("--without-schedule", typed_.without_schedule,
                          "let everything come in the order of its instants");
        add_settings(*replay_);
        add_json(*replay_);
        replay_->footer(std::string(help::after_replay));
    }

    void refuse_unknown_command(std::string_view word) const {
        const std::vector<std::string_view> commands = {
            "list", "run", "replay", "explain", "explore", "report", "bench", "serve", "version"};
        if (word.starts_with('-') || std::ranges::count(commands, word) > 0) return;
        throw UsageError(fmt::format("there is no command '{}'{}", word,
                                     scenarios::json::advice(word, commands)));
    }

    [[noreturn]] void refuse(const CLI::ParseError& error) const {
        const auto used = app_.get_subcommands();
        const std::string command = used.empty() ? "" : " " + used.front()->get_name();
        std::string message = error.what();
        if (const auto* const extras = dynamic_cast<const CLI::ExtrasError*>(&error))
            message = extras_text(*extras, used.empty() ? app_ : *used.front());
        std::ranges::replace(message, '\n', ' ');
        throw UsageError(fmt::format("{} (see redeliver{} --help)", message, command));
    }

    static std::string extras_text(const CLI::ExtrasError&, const CLI::App& command) {
        const std::vector<std::string> extras = command.remaining();
        const std::string found = extras.empty() ? "" : extras.front();
        std::vector<std::string> names;
        for (const CLI::Option* const option : command.get_options())
            if (!option->get_positional()) names.push_back("--" + option->get_lnames().front());
        const std::vector<std::string_view> valid(names.begin(), names.end());
        return fmt::format("found '{}'{}", found, scenarios::json::advice(found, valid));
    }

    Command command() const {
        if (list_->parsed()) return list_options();
        if (run_->parsed()) return run_options();
        if (replay_->parsed()) return replay_options();
        if (explain_->parsed()) return explain_arguments_.options();
        if (explore_->parsed()) return explore_arguments_.options();
        if (report_->parsed()) return report_arguments_.options();
        if (bench_->parsed()) return bench_arguments_.options();
        if (serve_->parsed()) return serve_arguments_.options();
        return VersionOptions{typed_.format()};
    }

    ListOptions list_options() const {
        using What = ListOptions::What;
        What what = What::stories;
        if (typed_.promises) what = What::promises;
        if (typed_.paths) what = What::paths;
        if (typed_.faults) what = What::faults;
        return {.what = what, .format = typed_.format()};
    }

    RunOptions run_options() const {
        if (typed_.out && typed_.out->empty())
            throw UsageError("--out: found '', allowed is a folder");
        const std::uint64_t cores = std::max(std::thread::hardware_concurrency(), 1u);
        return {
            .stories = typed_.stories,
            .seeds = number("--seeds", typed_.seeds, seeds_bounds),
            .first_seed = number("--from", typed_.from, seed_bounds).value_or(1),
            .jobs = static_cast<std::uint32_t>(number("--jobs", typed_.jobs, jobs_bounds)
                                                   .value_or(std::min(cores, jobs_bounds.most))),
            .settings = typed_.settings,
            .format = typed_.format(),
            .folder = typed_.out,
            .talk = typed_.quiet ? RunOptions::Talk::surprises : RunOptions::Talk::everything};
    }

    ReplayOptions replay_options() const {
        ReplayOptions options{.what = typed_.what,
                              .seed = number("--seed", typed_.seed, seed_bounds),
                              .settings = typed_.settings,
                              .at = {},
                              .format = typed_.format()};
        if (const auto step = number("--at", typed_.at, step_bounds))
            options.at = static_cast<sim::StepNumber>(*step);
        for (const std::string& fault : typed_.without_faults)
            options.without_faults.push_back(parse_number("--without-fault", fault, fault_bounds));
        if (const auto step = number("--branch-after", typed_.branch_after, step_bounds))
            options.branch_after = static_cast<sim::StepNumber>(*step);
        options.branch_seed = number("--branch-seed", typed_.branch_seed, seed_bounds);
        if (typed_.without_schedule) options.schedule = ReplayOptions::Schedule::left_out;
        if (typed_.all) options.detail = reports::Detail::every_step;
        return options;
    }

    static std::shared_ptr<CLI::Formatter> formatter() {
        auto formatter = std::make_shared<HelpFormatter>();
        formatter->column_width(28);
        return formatter;
    }

    CLI::App app_{std::string(help::program), "redeliver"};
    CLI::App* list_ = app_.add_subcommand("list", "show what there is to run");
    CLI::App* run_ = app_.add_subcommand("run", "run stories and judge them");
    CLI::App* replay_ = app_.add_subcommand("replay", "run one trial again and show what happens");
    CLI::App* explain_ =
        app_.add_subcommand("explain", "make what broke small, and say why it broke");
    CLI::App* explore_ = app_.add_subcommand("explore", "try every fault at every step of a story");
    CLI::App* report_ =
        app_.add_subcommand("report", "write a trial as a page, or for other tools");
    CLI::App* bench_ = app_.add_subcommand("bench", "measure how soon planted bugs are found");
    CLI::App* serve_ =
        app_.add_subcommand("serve", "be a Redis server: the broker model on a socket");
    CLI::App* version_ = app_.add_subcommand("version", "say which build this is");
    Typed typed_;
    ExplainArguments explain_arguments_{*explain_};
    ExploreArguments explore_arguments_{*explore_};
    ReportArguments report_arguments_{*report_};
    BenchArguments bench_arguments_{*bench_};
    ServeArguments serve_arguments_{*serve_};
};

}  // namespace

Command parse_arguments(int argc, const char* const* argv) { return Parser().parse(argc, argv); }

}  // namespace redeliver::cli
