// The limits of everything that a client can make the server store or do. The names contain the units.

export const limits = {
  /** Bodies of ordinary operations. */
  body_bytes: 1024 * 1024,
  /** Bodies with file contents: a blob of 100 MB in Base64 and some room. */
  content_body_bytes: 200 * 1024 * 1024,
  /** The part of a body that is read before the caller is authorized. */
  unsettled_body_bytes: 64 * 1024,
  /** Bodies with a description or note of the maximum length, however it is encoded in JSON. */
  issuable_body_bytes: 8 * 1024 * 1024,
  /** Forms, and text fields of multipart forms, which are kept in memory. */
  form_body_bytes: 4 * 1024 * 1024,
  /** A longer text in a JSON body is kept as bytes in pieces. Only contents of files may be longer. */
  long_text_bytes: 1024 * 1024,
  /** A body must arrive within this time, plus the time that its size takes at the minimum rate. */
  body_ms: 20_000,
  body_bytes_per_s_min: 16 * 1024,
  /** How long the rest of a refused body is discarded, so that the client reads the refusal. */
  refused_body_ms: 5_000,
  connections_max: 2_000,
  /** Searches of the documentation, and their results. */
  help: {
    search_characters_max: 200,
    search_words_max: 10,
    results_max: 30,
    excerpt_characters_max: 300,
  },
  /** Concurrent DNS lookups of other servers. */
  name_lookups: {
    running_max: 2,
    running_of_one_max: 2,
    waiting_max: 1000,
    waiting_of_one_max: 500,
    waiting_ms_max: 10_000,
  },
  /** How often the event loop is checked, and from which delay on it is logged. */
  watchdog: { look_ms: 50, stall_ms: 200 },
  /** Concurrent verifications of passwords, by the given username. The queue is short on purpose. */
  password_checks: {
    running_max: 2,
    running_of_one_max: 1,
    waiting_max: 60,
    waiting_of_one_max: 30,
    waiting_ms_max: 10_000,
    isNewestFirst: true,
  },
  /** Concurrent hashing of new passwords, by the user who sets them. */
  password_hashes: {
    running_max: 1,
    running_of_one_max: 1,
    waiting_max: 400,
    waiting_of_one_max: 200,
    waiting_ms_max: 30_000,
  },
  /** Large bodies that are in memory at once, in megabytes (rounded up) beyond the first part. */
  bodies: {
    running_max: 256,
    running_of_one_max: 201,
    waiting_max: 200,
    waiting_of_one_max: 40,
    waiting_ms_max: 30_000,
  },
  /** Requests that read many megabytes of long texts from the database (large-reads.ts). */
  large_reads: {
    /** A request that has read more needs a turn. */
    characters_max: 4 * 1024 * 1024,
    turns: {
      running_max: 4,
      running_of_one_max: 1,
      waiting_max: 1000,
      waiting_of_one_max: 200,
      waiting_ms_max: 30_000,
    },
  },
  /** The depth of JSON and form parameters. */
  parameter_depth: 32,
  /** The members of one array or object in a request. */
  parameter_members: 10_000,
  /**
   * The values of one filter of a list. Each is a condition of the query, and SQLite limits the depth of
   * expressions to 1000.
   */
  filter_values: 100,
  /** The labels of an issue or merge request in one request. */
  named_labels_max: 500,
  /** The branches, tags or commits in one request for their common ancestor. */
  merge_base_refs_max: 100,
  /** All values of a request together. */
  parameter_values: 100_000,
  header_bytes: 32 * 1024,
  url_bytes: 16 * 1024,
  per_page_max: 100,
  per_page_default: 20,
  /** The last row that page numbers of projects reach (docs/api/conventions.md, "Pages"). */
  project_offset_max: 50_000,
  /** A push of more references has no follow-up: no pipelines, webhooks or events. */
  followed_refs_max: 1_000,
  /** The push options that follow-up work gets. */
  push_options_max: 100,
  /** Totals beyond this number are neither counted nor sent. */
  counted_rows_max: 10_000,
  name_characters: 255,
  /** The maximum of 32-bit columns. */
  integer_max: 2_147_483_647,
  /** The highest number that a client can give to an issue, so that the column has room for further ones. */
  given_iid_max: 1_000_000_000,
  path_characters: 255,
  description_characters: 2000,
  /** External status checks of a project. */
  status_checks_max: 100,
  /** Approval rules of a project or merge request, and users and groups of a rule. */
  approval_rules_max: 100,
  approvals_required_max: 100,
  /** A larger CODEOWNERS file is not read; Maintainers approve instead of the owners. */
  code_owners_bytes_max: 1024 * 1024,
  /** Approval rules that CODEOWNERS creates for a merge request. */
  code_owner_rules_max: 1000,
  /** Draft notes of a user on a merge request. */
  draft_notes_max: 100,
  /** Files of a merge request that a user can mark as viewed. */
  viewed_files_max: 10_000,
  /** Stored former descriptions of an issue or merge request. The oldest are deleted first. */
  description_versions_max: 500,
  note_characters: 1_000_000,
  title_characters: 255,
  /** Distinct issuables, and distinct users, that one text can reference. */
  text_references_max: 100,
  /** Words of a text that are searched for references. Later ones are not linked. */
  reference_words_max: 50_000,
  /** References in all texts of a list page together. A text is searched as a whole or not at all. */
  list_references_max: 1000,
  /** Possible commit hashes in a text, each of which git looks up. */
  text_hashes_max: 50,
  /** A push of more references is recorded as a single event. */
  push_events_max: 3,
  /** Broadcast messages: those shown at once on pages, and those shown to pushers. */
  broadcast_messages: {
    message_characters: 10_000,
    path_characters: 255,
    shown_max: 100,
    pushed_max: 5,
  },
  /** Clusters of a project, a group or the instance. */
  clusters: {
    per_owner_max: 100,
    name_characters: 2048,
    url_characters: 2048,
    token_characters: 10_000,
    certificate_characters: 100_000,
  },
  /** Alerts: what a monitoring tool may send, and what is stored of it. */
  alerts: {
    payload_bytes: 1024 * 1024,
    payload_depth: 100,
    payload_values: 50_000,
    /** Alerts in one body of Alertmanager. Further ones are ignored. */
    per_body_max: 100,
    /** Alerts of a project that one transaction records. */
    recorded_at_once_max: 500,
    title_characters: 200,
    description_characters: 1000,
    name_characters: 100,
    /** The names of all hosts of an alert together. */
    hosts_characters: 255,
    integrations_max: 100,
    /** The length of a path in a mapping, which locates a field in a payload. */
    path_parts_max: 100,
    assignees_max: 100,
    url_characters: 2048,
    url_text_characters: 128,
    metric_images_max: 100,
  },
  /** Generated changelogs: their commits, configuration, template and file. */
  changelogs: {
    commits_max: 15_000,
    config_bytes: 256 * 1024,
    setting_characters: 1000,
    groups_max: 100,
    template_characters: 20_000,
    template_depth: 32,
    template_loops: 4,
    /** Rendered parts of a template; parts in a loop count each time. */
    template_steps: 1_000_000,
    notes_characters: 8 * 1024 * 1024,
    file_bytes: 20 * 1024 * 1024,
  },
  /** Boards of a project or group, and lists of a board. */
  boards_max: 500,
  board_lists_max: 100,
  /** Files of a wiki that are listed, and changed pages of a push that are reported. */
  wiki_files_max: 200_000,
  told_pages_max: 100,
  /** All pages of a wiki together, in a list with contents. */
  wiki_list_bytes: 32 * 1024 * 1024,
  /** Longer texts are rendered in threads, within these limits. */
  markdown: {
    inline_characters: 8_000,
    /** A longer formula is shown as source. */
    formula_characters_max: 2_000,
    /** Texts with more characters in formulas are rendered in a thread. */
    inline_formula_characters: 1_000,
    /** Concurrent rendering of long texts, and waiting requests. */
    threads: {
      running_max: 2,
      running_of_one_max: 1,
      waiting_max: 40,
      waiting_of_one_max: 10,
      waiting_ms_max: 20_000,
    },
    thread_mb_max: 256,
    render_ms: 10_000,
    /** A longer wiki page is shown as source. */
    page_characters_max: 1_000_000,
    /** Texts in other formats than Markdown. */
    markup: { characters_max: 500_000, render_ms: 5_000 },
  },
  /** Branches of a push, and commits of a branch, whose messages are searched for issues. */
  read_branches_max: 20,
  read_commits_max: 100,
  /** Events of a milestone, for each of its two kinds. */
  burndown_events_max: 20_000,
  /** Descriptions of issues and merge requests. */
  issuable_description_characters: 1_048_576,
  /** A public key in one line. A key of 16,384 bits has some 2,800 characters. */
  ssh_key_characters: 5000,
  gpg_key_characters: 100_000,
  /** The signature of a commit or tag, with all possible notations or certificates. A longer one is not read. */
  signature_characters: 64 * 1024,
  gpg_subkeys_max: 30,
  /** Secondary email addresses of a user. */
  emails_max: 100,
  status_characters: 100,
  /** A text in the instance settings. */
  setting_characters: 100_000,
  /** Statistics of the instance stop counting here. */
  statistics_max: 1_000_000,
  namespace_depth: 20,
  /** Rules of a group. All of them are checked for each push to a project below it. */
  group_protected_branches_max: 1000,
  /** Templates of one kind in a repository. */
  template_files_max: 1000,
  /** The value of a CI/CD variable, and the number of variables. */
  variable_characters: 10_000,
  variables_max: { project: 8000, group: 30_000, instance: 25, schedule: 1000 },
  /** Files in an archive of a job, and the maximum ratio of unpacked to packed size. */
  artifacts: { entries_max: 500_000, unpacked_times_max: 50 },
  /** Webhooks. */
  webhooks: {
    per_project_max: 100,
    per_group_max: 50,
    per_instance_max: 100,
    url_characters: 2048,
    token_characters: 4096,
    /** Calls that a caller waits for: test calls, and repeated deliveries. */
    trials: {
      running_max: 16,
      running_of_one_max: 2,
      waiting_max: 64,
      waiting_of_one_max: 8,
      waiting_ms_max: 20_000,
    },
    /** The time for a response, starting with the DNS lookup. */
    answer_ms: 10_000,
    /** A larger payload is not sent. */
    body_bytes: 25 * 1024 * 1024,
    /** Stored parts of payloads and responses. A payload that was stored incompletely cannot be sent again. */
    kept_body_bytes: 256 * 1024,
    kept_answer_bytes: 8 * 1024,
    kept_ms: 7 * 24 * 60 * 60_000,
    removed_max: 5_000,
    /** Concurrent calls of a webhook. Further calls wait for this long. */
    calls_max: 4,
    wait_ms: 1000,
    /** The delays before a call without a response is retried. */
    retries_ms: [10_000, 60_000, 5 * 60_000],
    /** After this many consecutive failures a webhook is paused. The pause doubles each time. */
    failures_before_pause: 4,
    pause_ms: 60_000,
    pause_ms_max: 24 * 60 * 60_000,
    /** After this many failures a webhook is disabled. */
    failures_max: 40,
    /** Commits in the payload of a push. */
    commits_max: 20,
  },
  /** Licence policies of a project. */
  managed_licenses_max: 1000,
  /** Projects on a user's security dashboard. */
  dashboard_projects_max: 1000,
  vulnerability_exports: {
    kept_ms: 60 * 60_000,
    /** Exports of an author: unfinished ones, and all within the time they are kept. */
    unfinished_max: 5,
    kept_max: 100,
    attempts_max: 3,
    /** Projects and vulnerabilities that one query reads. */
    projects_at_once: 500,
    rows_at_once: 100,
    /** Vulnerabilities that one query counts, which takes SQLite some milliseconds. */
    counted_at_once: 10_000,
    bytes_max: 4 * 1024 ** 3,
    /** The polling interval for clients that wait for an export. */
    poll_ms: 5_000,
    removed_max: 500,
  },
  /** Issues that are linked to a vulnerability, which are listed without pages. */
  vulnerability_issue_links_max: 100,
  /** The comment of a dismissed vulnerability. */
  dismissal_comment_characters: 50_000,
  /** Several servers on one database. */
  nodes: {
    /** How often a server renews its row. */
    beat_ms: 5_000,
    /** How long a server waits for the database before it renews its row over another connection. */
    beat_ms_max: 10_000,
    /**
     * How long a stopping server still serves requests beside others, so that proxies notice that it is not
     * ready.
     */
    stop_notice_ms: 10_000,
    /** The timeouts for connecting to another server, and for its response to a request of this server. */
    connect_ms: 5_000,
    question_ms: 10_000,
    /** How long a stopping server waits for the database to report whether other servers are running. */
    stop_question_ms: 2_000,
  },
  event_streams: {
    topics_max: 20,
    /** Open streams of a user or address, and of all together. */
    of_one_max: 50,
    streams_max: 1_500,
    /** A reader with more unread data is disconnected, and reconnects. */
    unsent_bytes_max: 64 * 1024,
    /** The delay before a browser reconnects. */
    retry_ms: 3_000,
    /** Changes within this time are sent as one. */
    apart_ms: 250,
    /** How often rights are checked again, and for how many streams at once. */
    rights_ms: 5_000,
    rights_at_once: 100,
    /**
     * How often a heartbeat is sent to idle streams, and all versions are read again in case a change was
     * missed.
     */
    beat_ms: 15_000,
    /** How often SQLite is checked for changes by other processes. */
    look_ms: 1_000,
    /** How often a node with followers notifies other nodes of them, and how long that is valid. */
    follow_ms: 10_000,
    followed_ms: 30_000,
  },
  /** Badges of a project or group, and the length of their URLs. */
  badges_max: 1000,
  badge_url_characters: 2048,
  /** The extension of an uploaded file. */
  upload_extension_characters: 20,
  /** Links of a release, and the lengths of their URLs and paths. */
  release_links_max: 1000,
  release_url_characters: 2048,
  release_filepath_characters: 128,
  /** Access tokens of a project or group. Each has a bot user. */
  access_token_bots_max: 1000,
  /** Deploy tokens of a project or group. */
  deploy_tokens_max: 1000,
  /** Projects that are shown with a deploy key: those it may push to, and the others. */
  deploy_key_projects_max: 100,
  /** Push mirrors of a project: the interval and timeout of pushes, and the stored error. */
  remote_mirrors: {
    mirrors_max: 20,
    url_characters: 2048,
    interval_ms: 5 * 60_000,
    protected_interval_ms: 60_000,
    push_ms: 60 * 60_000,
    error_characters: 500,
  },
  /** Pages sites, and their custom domains. */
  pages: {
    domains_max: 1000,
    domain_characters: 255,
    /** A certificate with its intermediate certificates, and a key. */
    certificate_characters: 100_000,
    certificates_max: 10,
    key_bytes: 8192,
    body_bytes: 1024 * 1024,
    /** How long a verification of a domain is valid, and how long before its end the domain is checked again. */
    verified_ms: 7 * 24 * 60 * 60_000,
    recheck_ms: 3 * 24 * 60 * 60_000,
    /** How long an unverified or disabled domain is kept. */
    unverified_ms: 7 * 24 * 60 * 60_000,
    /** The timeout of a DNS lookup, and the number of attempts. */
    lookup_ms: 5_000,
    lookups_max: 2,
    /** Concurrent verifications of domains. */
    checks: {
      running_max: 16,
      running_of_one_max: 4,
      waiting_max: 200,
      waiting_of_one_max: 20,
      waiting_ms_max: 20_000,
    },
    /** How long before its end a certificate is renewed. */
    renewal_ms: 30 * 24 * 60 * 60_000,
    renewed_max: 1000,
    /** The time that a certificate authority has to issue a certificate. */
    issue_ms: 3 * 60_000,
    challenge_ms: 60 * 60_000,
    /** Files of a site, and the size of its cached index; the size of all cached indexes. */
    entries_max: 200_000,
    index_bytes: 48 * 1024 * 1024,
    kept_index_bytes: 96 * 1024 * 1024,
    /** Files up to this size are cached, and the size of all cached files. */
    kept_file_bytes: 128 * 1024,
    kept_files_bytes: 32 * 1024 * 1024,
    /** Cached TLS contexts with certificates of sites. */
    kept_contexts_max: 500,
    path_characters: 4096,
    /** The redirects file of a site. */
    redirects: { file_bytes: 64 * 1024, rules_max: 1000, segments_max: 20, kept_sites_max: 200 },
    connections_max: 2_000,
    /** Requests have no bodies, and headers must arrive quickly. */
    headers_ms: 20_000,
    idle_ms: 60_000,
    stall_ms: 2 * 60_000,
    /** How long a ticket is valid on its way to a site, and the visit that it starts. */
    ticket_ms: 60_000,
    visit_ms: 60 * 60_000,
  },
  /** Reports of scanners: their unpacked size, and the parts that are in memory at once. */
  reports: {
    bytes_max: 100 * 1024 * 1024,
    depth_max: 64,
    members_max: 500_000,
    values_max: 500_000,
    /** Reports of a pipeline. */
    reports_max: 500,
    /** Names, versions and paths in reports. Longer ones are ignored. */
    text_characters: 255,
    path_characters: 1024,
    /** Vulnerabilities in a report, and the number that one transaction stores. */
    findings_max: 200_000,
    findings_at_once: 200,
    /** Known vulnerabilities in the same locations, which are compared with the findings. */
    neighbours_max: 1000,
    /** Concurrent creation of lists from reports and lock files, and waiting requests. */
    turns: {
      running_max: 2,
      running_of_one_max: 1,
      waiting_max: 40,
      waiting_of_one_max: 10,
      waiting_ms_max: 60_000,
    },
    /** Licences of a dependency. */
    licenses_max: 50,
  },
  /** A project's list of dependencies. */
  dependencies: {
    per_list_max: 100_000,
    vulnerabilities_max: 100_000,
    vulnerabilities_of_one_max: 200,
    /** A report: its files, and the components that all vulnerabilities in a bill of materials affect. */
    scanned_files_max: 100_000,
    refs_max: 1_000_000,
    /** Successful pipelines that are searched for reports, newest first. */
    pipelines_max: 1000,
    /**
     * Lock files that are read if there are no reports: their number, depth and size, and the size of all
     * together.
     */
    files_max: 200,
    listed_files_max: 500_000,
    path_parts_max: 30,
    /** After a push that changes more folders, lock files are read again even if they have not changed. */
    compared_folders_max: 500,
    file_bytes_max: 20 * 1024 * 1024,
    files_bytes_max: 100 * 1024 * 1024,
    /** A list that is not complete after this time is abandoned. */
    build_ms: 60 * 60_000,
    /** How often missing lists of projects are created, and how many in a run. */
    missing_ms: 60 * 60_000,
    missing_max: 200,
  },
  /** A pipeline's licences: rows, and names of dependencies in each. */
  pipeline_licenses: {
    licenses_max: 1000,
    /** Pairs of a dependency and a licence in a report. */
    uses_max: 500_000,
    /** Licences that a report lists. */
    listed_max: 100_000,
    dependencies_told_max: 20,
    expression_characters: 1000,
  },
  /** Pipeline triggers of a project. */
  triggers_max: 25_000,
  /** A blob up to this size is read through the kept process and cached; a larger one is streamed. */
  cached_blob_bytes: 1024 * 1024,
  /** The largest blob in a JSON file record, which needs the whole content in memory and in Base64. */
  inline_blob_bytes: 200 * 1024 * 1024,
  git_timeout_ms: 60_000,
  /** For a file of 20 MB with some hundred versions, git needs almost a minute. */
  blame_ms: 3 * 60_000,
  /** How long a request waits for the last commits of a folder, and how long git searches for them. */
  last_commits_ms: 2_000,
  last_commits_walk_ms: 15 * 60_000,
  /** Entries of a folder whose last commits are searched at once. */
  last_commits_max: 1_000,
  /** A list of all paths of a commit, which is completed before it is sent. */
  listed_paths: { paths_max: 100_000, bytes_max: 8 * 1024 * 1024 },
  /** Concurrent git processes by purpose, in total and per caller, and how many may wait for how long. */
  git_turns: {
    /** Processes that a response needs: lists, diffs, blame, merges. */
    read: {
      running_max: 8,
      running_of_one_max: 3,
      waiting_max: 400,
      waiting_of_one_max: 100,
      waiting_ms_max: 20_000,
    },
    /** Searches through all files of a commit, with several threads. */
    search: {
      running_max: 2,
      running_of_one_max: 1,
      waiting_max: 40,
      waiting_of_one_max: 10,
      waiting_ms_max: 20_000,
    },
    /** Archives. Compression is the most expensive work of git. */
    archive: {
      running_max: 8,
      running_of_one_max: 2,
      waiting_max: 64,
      waiting_of_one_max: 16,
      waiting_ms_max: 60_000,
    },
    fetch: {
      running_max: 32,
      running_of_one_max: 8,
      waiting_max: 400,
      waiting_of_one_max: 100,
      waiting_ms_max: 30 * 60_000,
    },
    /** A push, from its first byte to its report. */
    push: {
      running_max: 32,
      running_of_one_max: 8,
      waiting_max: 400,
      waiting_of_one_max: 100,
      waiting_ms_max: 30 * 60_000,
    },
    /** Short steps of accepted changes, which are hardly ever refused. */
    write: {
      running_max: 16,
      running_of_one_max: 8,
      waiting_max: 1000,
      waiting_of_one_max: 400,
      waiting_ms_max: 60_000,
    },
    /** Maintenance by tasks: packing and measuring. */
    upkeep: {
      running_max: 2,
      running_of_one_max: 2,
      waiting_max: 100,
      waiting_of_one_max: 100,
      waiting_ms_max: 60 * 60_000,
    },
    /** Long-running processes that return objects. If there are too many, another one is ended. */
    kept: {
      running_max: 80,
      running_of_one_max: 80,
      waiting_max: 5000,
      waiting_of_one_max: 5000,
      waiting_ms_max: 20_000,
    },
  },
  /**
   * The arguments of one command. Linux limits an argument to 128 KiB (MAX_ARG_STRLEN, execve(2)) and, with
   * its default stack, all arguments and the environment to 2 MiB.
   */
  git_command: {
    arguments_max: 4096,
    argument_bytes_max: 128 * 1024 - 1,
    arguments_bytes_max: 1024 * 1024,
    environment_bytes_max: 64 * 1024,
  },
  /**
   * Steps of matching patterns of callers in one piece of work (`match-budget.ts`): some seconds, with
   * pauses.
   */
  match_steps_max: 3_000_000,
  /** Memory of git processes. Their total depends on the machine (`src/git/git-memory-limiter.ts`). */
  git_memory: {
    /** Memory that must stay free for everything else when a large process starts. */
    reserve_bytes: 192 * 1024 * 1024,
    /** Processes are ended only if the machine has less free memory than this. */
    danger_bytes: 96 * 1024 * 1024,
    /** A process with less memory is not ended, since that would free too little. */
    ended_bytes_min: 32 * 1024 * 1024,
    /** A process that needs less memory starts without a check. */
    small_bytes: 96 * 1024 * 1024,
    /**
     * The memory of one process that serves a request: a share of the free memory, within these bounds.
     * Ordinary requests need far less, but hostile trees can make git use any amount.
     */
    read: { share: 0.4, bytes_min: 128 * 1024 * 1024, bytes_max: 512 * 1024 * 1024 },
    /** Processes that wait for memory. */
    turns: { waiting_max: 400, waiting_of_one_max: 100, waiting_ms_max: 60 * 60_000 },
  },
  /** The timeout for the changes of a commit, or their numbers of lines. */
  diff_timeout_ms: 10_000,
  /** How long git follows renames of a file. After that only commits under its present name are listed. */
  git_follow_timeout_ms: 20_000,
  /** The output of a git command that is collected in memory. */
  git_output_bytes: 64 * 1024 * 1024,
  /** A longer patch of a file is left empty, and a diff ends beyond these numbers. */
  patch_bytes: 200 * 1024,
  diff_files_max: 1000,
  diff_lines_max: 50_000,
  /** Paths and patches of a diff together. Beyond this, patches are left empty. */
  diff_bytes_max: 8 * 1024 * 1024,
  /** Paged diffs: files and the size of their paths, and the patches on a page. */
  paged_diff: {
    files_max: 20_000,
    path_bytes_max: 8 * 1024 * 1024,
    /** A longer path is not passed to git. */
    named_path_bytes_max: 4096,
    /** The patch of a file if the caller requests more than `patch_bytes`. */
    expanded_patch_bytes: 8 * 1024 * 1024,
    /** Beyond this size a page starts no further patch. */
    page_bytes_max: 4 * 1024 * 1024,
    /** All patches of a response without pages. */
    all_patches_bytes_max: 256 * 1024 * 1024,
  },
  /** A larger tree (some 200,000 entries) is not read. */
  tree_bytes_max: 8 * 1024 * 1024,
  /** Recursive listings of trees end here. */
  tree_entries_max: 500_000,
  /** The newest commits in a comparison; older ones are omitted. */
  compared_commits_max: 10_000,
  /** The timeout for sending a large pack or file to a client that reads at the minimum rate. */
  git_transfer_ms: 24 * 60 * 60_000,
  /** Languages are not counted for commits with more files (as in linguist). */
  language_files_max: 100_000,
  /** The minimum rate at which a client must read an archive, file or pack, in each window. */
  least_rate: { window_ms: 60_000, bytes_per_s: 16 * 1024 },
  /** The minimum rate at which a client must send a pack, in each window. */
  least_upload_rate: { window_ms: 60_000, bytes_per_s: 1024 },
  /** How long a clone or push may make no progress. */
  git_transfer_idle_ms: 10 * 60_000,
  /** Git over SSH. */
  ssh: {
    /** How long a client has for the handshake and authentication. */
    handshake_ms: 15_000,
    /** Authentication attempts; a query for a key and a signature each count as one. */
    attempts_max: 20,
    connections_max: 512,
    connections_per_address_max: 64,
    sessions_per_connection_max: 10,
    /** How long a connection without a command stays open. */
    idle_ms: 60_000,
    /** How long a command may run without data in either direction. */
    stall_ms: 10 * 60_000,
    /**
     * How long a fetch may run without data in either direction. While it packs, git sends progress every few
     * seconds.
     */
    wait_ms: 2 * 60_000,
    /** The arguments of `git archive --remote`. */
    archive_request_bytes: 64 * 1024,
    /**
     * The interval of keep-alive messages to idle clients. After four without a reply the connection is
     * closed.
     */
    keepalive_ms: 30_000,
  },
  sign_in: {
    /** After this many consecutive failures an account is locked for this long. */
    failures_max: 10,
    locked_ms: 10 * 60_000,
    /** An unused session ends after this time. */
    session_ms: 14 * 24 * 60 * 60_000,
    /** Sessions of a user. A further one replaces the oldest. */
    sessions_max: 100,
    user_agent_characters: 255,
    recovery_codes: 10,
  },
  /** OAuth applications (RFC 6749). */
  oauth: {
    code_ms: 10 * 60_000,
    access_token_ms: 2 * 60 * 60_000,
    id_token_ms: 2 * 60_000,
    /** Devices without a browser (RFC 8628). */
    device_ms: 5 * 60_000,
    poll_interval_s: 5,
    poll_interval_s_max: 60,
    /** Applications of the instance and of a user, and redirect URIs of an application. */
    applications_max: 1000,
    user_applications_max: 100,
    redirect_uris_max: 50,
    redirect_uri_characters: 2048,
    /** Texts of an authorization request that are stored or returned. */
    parameter_characters: 4096,
    nonce_characters: 1024,
    body_bytes: 32 * 1024,
    /** Tokens of a user for an application. The oldest are revoked. */
    tokens_max: 200,
    groups_max: 1000,
    /** How long expired rows are kept, and how many one run of the task deletes. */
    kept_ms: 30 * 24 * 60 * 60_000,
    kept_device_ms: 60 * 60_000,
    removed_max: 5000,
  },
  /** GraphQL queries. */
  graphql: {
    query_characters: 10_000,
    body_bytes: 64 * 1024,
    tokens_max: 2_000,
    depth_max: 20,
    /** The cost of a query. A field costs 1, and more if it queries the database. */
    cost_max: 500,
    lookup_cost: 20,
  },
  /** How long audit events are kept, and how many one run of the task deletes. */
  audit_events: { kept_ms: 365 * 24 * 60 * 60_000, removed_max: 1000 },
  /** Background tasks. */
  tasks: {
    /** How often a worker looks for tasks that other processes enqueued, or that have become due. */
    poll_ms: 1000,
    /** How often a busy worker reports that it is alive, and after what silence it counts as dead. */
    beat_ms: 2000,
    silence_ms_max: 10_000,
    /** The delay after the first failure. It doubles each time up to the maximum. */
    retry_ms: 10_000,
    retry_ms_max: 60 * 60_000,
    /** Retries for about half a day, unless a task sets another number. */
    attempts_max: 20,
    /** How long a stopping worker waits for running tasks. It must be shorter than the process waits. */
    stop_ms_max: 20_000,
    error_characters: 1000,
    /** After what silence a pause of lanes ends, and how often its holder renews it. */
    hold_ms: 60_000,
    hold_renewal_ms: 10_000,
  },
  backup: {
    /** How long a backup waits for running removals and packing. */
    wait_ms_max: 10 * 60_000,
    /** The age at which the remains of an interrupted backup are deleted. */
    unfinished_ms_min: 24 * 60 * 60_000,
    /** How often a repository that changes meanwhile is read again. */
    attempts_max: 5,
    /** Larger packs are stored as files of their own, which later backups share. */
    large_bytes_min: 1024 * 1024,
    /** The size of an archive of small files. Further files are stored separately. */
    archive_bytes_max: 64 * 1024 * 1024,
    /**
     * The size of a container, which holds archives of many repositories, and how many smaller containers are
     * kept before they are merged.
     */
    container_bytes_max: 16 * 1024 * 1024,
    small_containers_max: 16,
    /** Threads that read, and repositories that a thread reads in one request. */
    threads_max: 3,
    repositories_at_once: 8,
    /** Bytes that are read and written at once. */
    chunk_bytes: 1024 * 1024,
    /** Rows and values in one statement of a restore. */
    rows_at_once_max: 500,
    values_at_once_max: 20_000,
  },
  /** Emails. */
  mail: {
    /** Retries for some seventy hours as the delays grow, which is less than `waiting_ms`. */
    attempts_max: 78,
    /** The timeout of DNS lookup, connection and greeting, and of silence in between. */
    step_ms: 10_000,
    /** The timeout of a whole delivery. It must be shorter than a stopping server waits. */
    email_ms: 20_000,
    /** How long an unreachable mail server is not tried again. */
    avoided_ms: 30_000,
    /** An email that could not be delivered for this long is dropped. */
    waiting_ms: 3 * 24 * 60 * 60_000,
    /** The minimum interval between emails of one kind to an account, whoever requests them. */
    interval_ms: 60_000,
    /** Emails to an unconfirmed address, whoever requests them. */
    to_stranger_max_per_hour: 5,
    /** Emails that a user can cause to unconfirmed addresses. */
    to_strangers_max_per_hour: 100,
    to_strangers_max_per_day: 500,
    /** A name that a user chose. */
    name_characters: 60,
    /** A title in a subject line. */
    subject_characters: 200,
    /** A text of a user. The rest can be read on the page. */
    text_characters: 8_000,
    /** The same text as HTML. */
    html_characters: 100_000,
    /** Users whose notifications one run of the task determines. */
    recipients_at_once: 200,
    /** Projects that one run searches for due issues. */
    projects_at_once: 1000,
    /** How long links are valid, as in the real product. */
    reset_ms: 2 * 24 * 60 * 60_000,
    confirmation_ms: 24 * 60 * 60_000,
  },
  /** A search through the files of a commit. Beyond these limits it ends with what it has found. */
  search: {
    text_characters: 4096,
    timeout_ms: 15_000,
    output_characters: 4 * 1024 * 1024,
    lines_of_file_max: 100,
    passage_characters: 10_000,
  },
  /**
   * The index of lines and sections of a log. Markers in longer lines, or beyond the last section, are
   * ignored.
   */
  log_index: {
    lines_apart: 1000,
    line_bytes: 16 * 1024,
    /** Bytes that are indexed at once, which takes a few milliseconds. */
    chunk_bytes: 512 * 1024,
    sections_max: 1000,
    name_characters: 255,
    header_characters: 255,
    /** Logs whose index is cached. */
    kept: 50,
  },
  /** The quick search while a name is typed. */
  quick_search: {
    text_characters: 255,
    hits: 12,
    /** Rows that are searched for part of a name, and own rows that are searched. */
    parts: 1000,
    held: 1000,
  },
  /** Blobs in S3 (docs/operating/s3.md). */
  s3: {
    /**
     * The timeout of a call, or of the next bytes of an object. Calls in which S3 copies objects have a
     * multiple of it.
     */
    call_ms: 10_000,
    long_call_times: 6,
    tries_max: 3,
    /** The delay before the second attempt. It doubles before the third. */
    pause_ms: 200,
    sockets_max: 128,
    /** Lists and error responses. */
    answer_bytes_max: 8 * 1024 * 1024,
    retry_after_s: 5,
    /** A smaller object is uploaded with one PUT. Two parts of an upload are in memory. */
    part_bytes: 8 * 1024 * 1024,
    /** After this many parts they are larger, since S3 limits them to 10,000: 360 GB in total. */
    small_parts_max: 5_000,
    large_part_bytes: 64 * 1024 * 1024,
    parts_max: 10_000,
    /** Larger objects are copied in parts. */
    copy_bytes_max: 64 * 1024 * 1024,
    copy_part_bytes: 64 * 1024 * 1024,
    /** Concurrent uploads. */
    uploads: {
      running_max: 48,
      running_of_one_max: 24,
      waiting_max: 500,
      waiting_of_one_max: 100,
      waiting_ms_max: 30_000,
    },
    /** How long a client can start a download with a presigned URL. */
    presigned_s: 300,
    /** How often uploads of dead servers are searched, and for how long these must have had no new part. */
    leftovers_every_ms: 60 * 60_000,
    leftovers_quiet_ms: 24 * 60 * 60_000,
    /** Blobs that `bloomery blobs move` moves at once. */
    moves_at_once: 8,
  },
  /** How long an upload may make no progress. */
  upload_idle_ms: 10 * 60_000,
  /** A larger `.gitattributes` file is not read. */
  git_attributes_bytes: 100 * 1024,
  /** Characters of paths and patterns that are compared for the attributes of a path. */
  git_attributes_characters: 4_000_000,
  custom_attribute_characters: 10_000,
  /** Custom attributes of a user, project or group. */
  custom_attributes_max: 1000,
  /** Custom attributes in the filter of a list. */
  custom_attribute_filters_max: 20,
  /** The avatar of a user, project or group. */
  avatar_bytes: 200 * 1024,
  /**
   * A form with an avatar. Up to this size, an avatar that is too large is refused with a message that says
   * so.
   */
  avatar_body_bytes: 5 * 1024 * 1024,
  /** Objects in a batch request. git-lfs requests 100 at a time. */
  lfs_batch_objects: 1000,
  /** Locks in a response, also if the client requests no number. */
  lfs_locks_max: 100,
  /** The command list of one push. */
  push_commands_bytes: 32 * 1024 * 1024,
  push_commands_max: 100_000,
  /** References that one run of a push mirror updates. */
  mirrored_refs_max: 20_000,
  /** References of a repository, whoever created them. */
  refs_max: 1_000_000,
  /** How often the remaining updates of a push are retried when some of them fail. */
  push_attempts_max: 32,
  /** Protected branches without force push that one push may move, since each requires a walk of the history. */
  push_protected_moves_max: 200,
  /** A merge request. */
  merge_requests: {
    /** Commits that are stored, and whose messages are read. */
    commits_max: 1000,
    /** Commits that a rebase replays. */
    rebased_commits_max: 1000,
    message_characters: 1_000_000,
    /** Merge requests that are retargeted when their target branch is deleted. */
    retargeted_max: 4,
    /** Merge requests with the same source or target branch that are updated after a push. */
    followed_max: 1000,
    /** Merge requests of a fork that are checked for the right of others to push. */
    collaborations_max: 50,
    /** Branches of a push that push options apply to. */
    pushed_branches_max: 10,
    versions_max: 1000,
    /** After how long a running merge is checked. */
    merging_ms_max: 2 * 60_000,
    rebasing_ms_max: 10 * 60_000,
    /**
     * Conflicts that the API can resolve: the size of each side of a file, the size of all files, and their
     * number.
     */
    conflict_file_bytes_max: 200 * 1024,
    conflict_bytes_max: 2 * 1024 * 1024,
    conflict_files_max: 50,
  },
  /** Projects and groups whose job tokens may access a project. */
  job_token_allowlist_max: 200,
  secure_files: { bytes_max: 5 * 1024 * 1024, files_max: 100 },
  protected_environments: {
    /** Access levels, and approval rules, of a protected environment. */
    entries_max: 50,
    approvals_max: 100,
    comment_characters: 255,
  },
  /** A pipeline, its configuration and its jobs. */
  pipelines: {
    /** Paths of a commit that `exists` and wildcards in includes search. */
    listed_paths_max: 100_000,
    pipeline_variables_max: 1000,
    /** References of a push that get pipelines. A push of more gets none. */
    pushed_refs_max: 4,
    /** The depth of child and multi-project pipelines that start each other. */
    descent_max: 2,
    /** A part of a log, and a whole log. */
    log_part_bytes: 1024 * 1024,
    log_bytes: 100 * 1024 * 1024,
    runner_tags_max: 50,
    /** How long a request of a runner waits for a job. */
    poll_ms: 50_000,
    /** How long a job waits for a runner, and how long a runner may be silent, before the job fails. */
    pending_s_max: 24 * 60 * 60,
    silent_s_max: 60 * 60,
    /** How long a job waits if no online runner can run it. */
    unmatched_s_max: 60 * 60,
    /** The built-in runner reports every few seconds. It is silent if it was killed. */
    builtin_silent_s_max: 2 * 60,
    /** How late a delayed job may still start. */
    delay_s_max: 60 * 60,
  },
  /** The configuration of a pipeline. */
  ci: {
    /** The size of a file. */
    file_bytes: 1024 * 1024,
    /** Tokens of a file, as many as in a megabyte of ordinary text. */
    lexemes_max: 300_000,
    /** The size of a file, or of all merged files, with all aliases expanded. */
    tree_characters: 4 * 1024 * 1024,
    /** A larger configuration is not formatted for display. */
    written_characters: 2 * 1024 * 1024,
    depth: 100,
    /** The size of all jobs of a plan, including what they share. */
    plan_characters: 32 * 1024 * 1024,
    /** Steps of reading and planning, each about a microsecond. */
    steps_max: 3_000_000,
    /** Steps without a pause for other requests. */
    unbroken_steps_max: 150_000,
    includes_max: 150,
    /** Jobs of a pipeline, and jobs including those that rules exclude. */
    jobs_max: 500,
    configured_jobs_max: 20_000,
    job_name_characters: 255,
    /**
     * The length of texts with expanded variables: names (of tags, environments, resource groups), paths,
     * other texts for runners or services (audiences of tokens), and values of variables.
     */
    name_characters: 255,
    path_characters: 4096,
    text_characters: 1024,
    value_characters: 64 * 1024,
    /** ID tokens of a job, and audiences of a token. Each token is signed. */
    id_tokens_max: 20,
    audiences_max: 20,
    needs_max: 50,
    parallel_max: 200,
    caches_max: 4,
    tags_max: 50,
    patterns_max: 50,
    /** Paths that are compared with the patterns of one `exists`. Beyond this, a match is assumed. */
    exists_looks_max: 50_000,
    expression_characters: 10_000,
    /** The size of a compiled regular expression. */
    regular_expression_size: 2_000,
  },
} as const
