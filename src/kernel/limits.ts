// The bounds of everything that a client can make the server store or do. Units are in the names.

export const limits = {
  /** Bodies of ordinary operations. */
  body_bytes: 1024 * 1024,
  /** Bodies that carry file contents: a 100 MB blob in Base64 with room to spare. */
  content_body_bytes: 200 * 1024 * 1024,
  /** So much of a body is read before it is settled who calls and whether they may. */
  unsettled_body_bytes: 64 * 1024,
  /** Bodies with a description or a note as long as it may be, whatever it takes in JSON. */
  issuable_body_bytes: 8 * 1024 * 1024,
  /** Forms, and texts in multipart forms, which are kept whole. */
  form_body_bytes: 4 * 1024 * 1024,
  /** A longer text of a JSON body is kept as bytes, piece by piece: contents of files alone. */
  long_text_bytes: 1024 * 1024,
  /** How long a body may take to arrive: so long, and more at the least rate. */
  body_ms: 20_000,
  body_bytes_per_s_min: 16 * 1024,
  /** How long the rest of a refused body is thrown away, so that its sender reads the refusal. */
  refused_body_ms: 5_000,
  connections_max: 2_000,
  /** Searches of the documentation, and what one finds. */
  help: {
    search_characters_max: 200,
    search_words_max: 10,
    results_max: 30,
    excerpt_characters_max: 300,
  },
  /** Names of other servers that are looked up at once. */
  name_lookups: {
    running_max: 2,
    running_of_one_max: 2,
    waiting_max: 1000,
    waiting_of_one_max: 500,
    waiting_ms_max: 10_000,
  },
  /** How often the event loop is looked at, and from what on a delay is told. */
  watchdog: { look_ms: 50, stall_ms: 200 },
  /** Passwords that are checked at once, by the name they are given for. The queue is short on purpose. */
  password_checks: {
    running_max: 2,
    running_of_one_max: 1,
    waiting_max: 60,
    waiting_of_one_max: 30,
    waiting_ms_max: 10_000,
    isNewestFirst: true,
  },
  /** Passwords that are set at once, by who sets them. */
  password_hashes: {
    running_max: 1,
    running_of_one_max: 1,
    waiting_max: 400,
    waiting_of_one_max: 200,
    waiting_ms_max: 30_000,
  },
  /** Bodies beyond the unsettled part, in megabytes begun, that are held in memory at once. */
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
  /** Nesting of JSON and of form parameters. */
  parameter_depth: 32,
  /** Members of any one array or object in a request. */
  parameter_members: 10_000,
  /** Values of one filter of a list, each a condition of the query. SQLite takes no expression that is deeper than 1000. */
  filter_values: 100,
  /** Labels of an issue or a merge request that one request names. */
  named_labels_max: 500,
  /** Branches, tags or commits whose common ancestor is asked for. */
  merge_base_refs_max: 100,
  /** All values of one request together. */
  parameter_values: 100_000,
  header_bytes: 32 * 1024,
  url_bytes: 16 * 1024,
  per_page_max: 100,
  per_page_default: 20,
  /** Page numbers of projects end after so many rows (docs/api/conventions.md, "Pages"). */
  project_offset_max: 50_000,
  /** Pushes of more references than that are followed by nothing: no pipelines, hooks or events. */
  followed_refs_max: 1_000,
  /** Options of a push that what follows it is told. */
  push_options_max: 100,
  /** Above this many rows totals are neither counted nor sent. */
  counted_rows_max: 10_000,
  name_characters: 255,
  /** Whole numbers that are kept: columns of 32 bits. */
  integer_max: 2_147_483_647,
  /** The number in its project that an issue may be given: its column has room for all that follow. */
  given_iid_max: 1_000_000_000,
  path_characters: 255,
  description_characters: 2000,
  /** External status checks of one project. */
  status_checks_max: 100,
  /** Approval rules of one project, or of one merge request for itself; users and groups that one of them names. */
  approval_rules_max: 100,
  approvals_required_max: 100,
  /** A larger CODEOWNERS is not read: Maintainers approve in place of the owners. */
  code_owners_bytes_max: 1024 * 1024,
  /** Rules that CODEOWNERS makes for one merge request. */
  code_owner_rules_max: 1000,
  /** Unpublished notes of one user on one merge request. */
  draft_notes_max: 100,
  /** Files of a merge request that one user can mark as viewed. */
  viewed_files_max: 10_000,
  /** Texts that the description of an issue or merge request had; the oldest ones go first. */
  description_versions_max: 500,
  note_characters: 1_000_000,
  title_characters: 255,
  /** Different things and different users that one text can name. */
  text_references_max: 100,
  /** Words of a text in which names are looked for; what comes after them is no link. */
  reference_words_max: 50_000,
  /** The same of all texts of a page of a list together; a text is read whole or not. */
  list_references_max: 1000,
  /** Of commits, which git is asked about. */
  text_hashes_max: 50,
  /** A push of more references than that is one event. */
  push_events_max: 3,
  /** Of broadcast messages: shown at once anywhere, and to who pushes. */
  broadcast_messages: {
    message_characters: 10_000,
    path_characters: 255,
    shown_max: 100,
    pushed_max: 5,
  },
  /** Of one project, group or the instance. */
  clusters: {
    per_owner_max: 100,
    name_characters: 2048,
    url_characters: 2048,
    token_characters: 10_000,
    certificate_characters: 100_000,
  },
  /** Of alerts: what a monitoring tool may send, and what is kept of it. */
  alerts: {
    payload_bytes: 1024 * 1024,
    payload_depth: 100,
    payload_values: 50_000,
    /** Of one body of Alertmanager; further alerts in it are left out. */
    per_body_max: 100,
    /** Of one project, by one transaction. */
    recorded_at_once_max: 500,
    title_characters: 200,
    description_characters: 1000,
    name_characters: 100,
    /** Of all hosts of an alert together. */
    hosts_characters: 255,
    integrations_max: 100,
    /** Of a mapping: where a field is in a payload. */
    path_parts_max: 100,
    assignees_max: 100,
    url_characters: 2048,
    url_text_characters: 128,
    metric_images_max: 100,
  },
  /** Of changelogs that are generated: their commits, configuration, template and file. */
  changelogs: {
    commits_max: 15_000,
    config_bytes: 256 * 1024,
    setting_characters: 1000,
    groups_max: 100,
    template_characters: 20_000,
    template_depth: 32,
    template_loops: 4,
    /** Parts of a template that are rendered, each time a loop comes to them. */
    template_steps: 1_000_000,
    notes_characters: 8 * 1024 * 1024,
    file_bytes: 20 * 1024 * 1024,
  },
  /** Boards of one project or group, and lists of one board. */
  boards_max: 500,
  board_lists_max: 100,
  /** Files of a wiki that are looked at for pages, and pages of one push that anybody is told of. */
  wiki_files_max: 200_000,
  told_pages_max: 100,
  /** Of all pages of a wiki together, where a list is asked for with what is in them. */
  wiki_list_bytes: 32 * 1024 * 1024,
  /** Longer texts are rendered in threads, so many at once, each for so long. */
  markdown: {
    inline_characters: 8_000,
    /** A longer formula is shown as it stands. */
    formula_characters_max: 2_000,
    /** More of formulas are for a thread, as a long text is. */
    inline_formula_characters: 1_000,
    /** Long texts at once, and who waits for a turn. */
    threads: {
      running_max: 2,
      running_of_one_max: 1,
      waiting_max: 40,
      waiting_of_one_max: 10,
      waiting_ms_max: 20_000,
    },
    thread_mb_max: 256,
    render_ms: 10_000,
    /** A longer page of a wiki is shown as it stands. */
    page_characters_max: 1_000_000,
    /** Of the formats beside Markdown. */
    markup: { characters_max: 500_000, render_ms: 5_000 },
  },
  /** Branches of a push, and commits of a branch, whose messages are read for issues. */
  read_branches_max: 20,
  read_commits_max: 100,
  /** Of a milestone, of either sort. */
  burndown_events_max: 20_000,
  /** Of issues and merge requests. */
  issuable_description_characters: 1_048_576,
  /** A public key in one line; one of 16,384 bits has some 2,800. */
  ssh_key_characters: 5000,
  gpg_key_characters: 100_000,
  /** Of a commit or tag, with every possible note or certificate in it; a longer one is not read. */
  signature_characters: 64 * 1024,
  gpg_subkeys_max: 30,
  /** Of a user, beside the primary one. */
  emails_max: 100,
  status_characters: 100,
  /** A text among the settings of the instance. */
  setting_characters: 100_000,
  /** Statistics of the instance count no further. */
  statistics_max: 1_000_000,
  namespace_depth: 20,
  /** Rules of one group, each of which is looked at for every push to a project in it. */
  group_protected_branches_max: 1000,
  /** Of one kind, in one repository. */
  template_files_max: 1000,
  /** The value of a CI/CD variable, and how many of them there may be. */
  variable_characters: 10_000,
  variables_max: { project: 8000, group: 30_000, instance: 25, schedule: 1000 },
  /** Files in one archive of a job, and how many times the size of an archive they may have unpacked. */
  artifacts: { entries_max: 500_000, unpacked_times_max: 50 },
  /** Of webhooks. */
  webhooks: {
    per_project_max: 100,
    per_group_max: 50,
    per_instance_max: 100,
    url_characters: 2048,
    token_characters: 4096,
    /** Calls that somebody waits for: tests, and deliveries sent again. */
    trials: {
      running_max: 16,
      running_of_one_max: 2,
      waiting_max: 64,
      waiting_of_one_max: 8,
      waiting_ms_max: 20_000,
    },
    /** How long a receiver has to answer, from the look-up of its name on. */
    answer_ms: 10_000,
    /** A larger body is not sent. */
    body_bytes: 25 * 1024 * 1024,
    /** What is kept of a body sent, and of an answer; a longer body cannot be sent again. */
    kept_body_bytes: 256 * 1024,
    kept_answer_bytes: 8 * 1024,
    kept_ms: 7 * 24 * 60 * 60_000,
    removed_max: 5_000,
    /** Calls of one webhook at once; more of them wait so long. */
    calls_max: 4,
    wait_ms: 1000,
    /** How long after each missing answer a call is tried again. */
    retries_ms: [10_000, 60_000, 5 * 60_000],
    /** From so many failures in a row on it is paused, so long and twice as long each time. */
    failures_before_pause: 4,
    pause_ms: 60_000,
    pause_ms_max: 24 * 60 * 60_000,
    /** After so many it is disabled. */
    failures_max: 40,
    /** Commits that a push tells of. */
    commits_max: 20,
  },
  /** Of one project. */
  managed_licenses_max: 1000,
  /** Of one user's security dashboard. */
  dashboard_projects_max: 1000,
  vulnerability_exports: {
    kept_ms: 60 * 60_000,
    /** Of one author: on their way, and within the time they are kept. */
    unfinished_max: 5,
    kept_max: 100,
    attempts_max: 3,
    /** Projects and vulnerabilities that are read at once. */
    projects_at_once: 500,
    rows_at_once: 100,
    /** Vulnerabilities that are counted at once, which is some milliseconds of SQLite. */
    counted_at_once: 10_000,
    bytes_max: 4 * 1024 ** 3,
    /** How often who waits for one should ask. */
    poll_ms: 5_000,
    removed_max: 500,
  },
  /** Issues that one vulnerability is linked with, which no page divides. */
  vulnerability_issue_links_max: 100,
  /** Why a vulnerability is dismissed. */
  dismissal_comment_characters: 50_000,
  /** Of streams of events. */
  nodes: {
    /** How often a server says that it runs, where several share a database. */
    beat_ms: 5_000,
    /** How long it waits for the database to take that before it says so once more, by another connection. */
    beat_ms_max: 10_000,
    /** How long a server that stops goes on serving beside others, for proxies to notice that it is not ready. */
    stop_notice_ms: 10_000,
    /** How long a connection to another server may take, and its answer to a question of this one. */
    connect_ms: 5_000,
    question_ms: 10_000,
    /** How long it waits for the database to say whether there are others. */
    stop_question_ms: 2_000,
  },
  event_streams: {
    topics_max: 20,
    /** Open at once: of one user or address, and of all together. */
    of_one_max: 50,
    streams_max: 1_500,
    /** A reader who has so much left to read is dropped, and comes back. */
    unsent_bytes_max: 64 * 1024,
    /** When a browser comes back. */
    retry_ms: 3_000,
    /** What changes within that time is told as one change. */
    apart_ms: 250,
    /** How often rights are asked again, and how many streams at once. */
    rights_ms: 5_000,
    rights_at_once: 100,
    /** How often a silent stream is written to, and all versions are looked at for what was missed. */
    beat_ms: 15_000,
    /** How often it is looked whether another process has written to the same SQLite file. */
    look_ms: 1_000,
    /** How often a node with streams says so to others, and how long that counts. */
    follow_ms: 10_000,
    followed_ms: 30_000,
  },
  /** Badges of one project or group, and each of their addresses. */
  badges_max: 1000,
  badge_url_characters: 2048,
  /** The ending of the name of an uploaded file. */
  upload_extension_characters: 20,
  /** Links of one release, each with an address and a path. */
  release_links_max: 1000,
  release_url_characters: 2048,
  release_filepath_characters: 128,
  /** Access tokens of one project or group, each of which stands for a user. */
  access_token_bots_max: 1000,
  /** Deploy tokens of one project or group. */
  deploy_tokens_max: 1000,
  /** Projects shown with a deploy key, of those it may push to and of the others. */
  deploy_key_projects_max: 100,
  /** Push mirrors of one project: how often one is pushed to, for how long, and what is kept of a failure. */
  remote_mirrors: {
    mirrors_max: 20,
    url_characters: 2048,
    interval_ms: 5 * 60_000,
    protected_interval_ms: 60_000,
    push_ms: 60 * 60_000,
    error_characters: 500,
  },
  /** Of sites, and of the domains they have beside their own address. */
  pages: {
    domains_max: 1000,
    domain_characters: 255,
    /** A certificate with those between it and an authority, and a key. */
    certificate_characters: 100_000,
    certificates_max: 10,
    key_bytes: 8192,
    body_bytes: 1024 * 1024,
    /** How long a domain is good once it was verified, from when on it is looked at again. */
    verified_ms: 7 * 24 * 60 * 60_000,
    recheck_ms: 3 * 24 * 60 * 60_000,
    /** How long after it was added, or was switched off, a domain is removed. */
    unverified_ms: 7 * 24 * 60 * 60_000,
    /** One look-up of a name, and how often it is tried. */
    lookup_ms: 5_000,
    lookups_max: 2,
    /** Domains looked at at once. */
    checks: {
      running_max: 16,
      running_of_one_max: 4,
      waiting_max: 200,
      waiting_of_one_max: 20,
      waiting_ms_max: 20_000,
    },
    /** A certificate is renewed so long before its end. */
    renewal_ms: 30 * 24 * 60 * 60_000,
    renewed_max: 1000,
    /** How long an authority may take for one certificate. */
    issue_ms: 3 * 60_000,
    challenge_ms: 60 * 60_000,
    /** Files of one site, and what is kept of its directory; of all sites together. */
    entries_max: 200_000,
    index_bytes: 48 * 1024 * 1024,
    kept_index_bytes: 96 * 1024 * 1024,
    /** Files up to this size are kept, of all sites so much. */
    kept_file_bytes: 128 * 1024,
    kept_files_bytes: 32 * 1024 * 1024,
    /** Certificates that are kept ready for connections. */
    kept_contexts_max: 500,
    path_characters: 4096,
    /** Of the file of redirects of a site. */
    redirects: { file_bytes: 64 * 1024, rules_max: 1000, segments_max: 20, kept_sites_max: 200 },
    connections_max: 2_000,
    /** Nobody sends bodies, and nobody may take long over a header. */
    headers_ms: 20_000,
    idle_ms: 60_000,
    stall_ms: 2 * 60_000,
    /** Proof for a site that its visitor is signed in: on its way, and once it has arrived. */
    ticket_ms: 60_000,
    visit_ms: 60 * 60_000,
  },
  /** Of a report of a scanner: unpacked, and what is kept of it at one time. */
  reports: {
    bytes_max: 100 * 1024 * 1024,
    depth_max: 64,
    members_max: 500_000,
    values_max: 500_000,
    /** Of one pipeline. */
    reports_max: 500,
    /** Names, versions and paths in reports; what is longer is left out. */
    text_characters: 255,
    path_characters: 1024,
    /** Vulnerabilities of one report, and how many of them are stored in one transaction. */
    findings_max: 200_000,
    findings_at_once: 200,
    /** Of the same pipeline, in the places of these: what could be the same again. */
    neighbours_max: 1000,
    /** Lists that are made of reports and lock files at once, and who waits for one. */
    turns: {
      running_max: 2,
      running_of_one_max: 1,
      waiting_max: 40,
      waiting_of_one_max: 10,
      waiting_ms_max: 60_000,
    },
    /** Licences that one thing is said to have. */
    licenses_max: 50,
  },
  /** Of what a project depends on, as one list. */
  dependencies: {
    per_list_max: 100_000,
    vulnerabilities_max: 100_000,
    vulnerabilities_of_one_max: 200,
    /** Of one report: files, and what all vulnerabilities of a bill of materials affect. */
    scanned_files_max: 100_000,
    refs_max: 1_000_000,
    /** How many successful pipelines are looked at for reports, the newest first. */
    pipelines_max: 1000,
    /** Files that are read where there are no reports: of a repository, how deep, how large, and all together. */
    files_max: 200,
    listed_files_max: 500_000,
    path_parts_max: 30,
    /** After a push that changes more folders, lock files are read again whether or not they changed. */
    compared_folders_max: 500,
    file_bytes_max: 20 * 1024 * 1024,
    files_bytes_max: 100 * 1024 * 1024,
    /** A list that is not ready after so long has been given up. */
    build_ms: 60 * 60_000,
    /** How often first lists of projects are made, of how many at a time. */
    missing_ms: 60 * 60_000,
    missing_max: 200,
  },
  /** Of a pipeline's licences: rows, and names of dependencies told with each. */
  pipeline_licenses: {
    licenses_max: 1000,
    /** Of licences by dependencies, in one report. */
    uses_max: 500_000,
    /** Licences that one report lists. */
    listed_max: 100_000,
    dependencies_told_max: 20,
    expression_characters: 1000,
  },
  /** Triggers of pipelines, of one project. */
  triggers_max: 25_000,
  /** A blob up to this size is read through the kept process and cached; a larger one is streamed. */
  cached_blob_bytes: 1024 * 1024,
  /** The largest blob the JSON file record can carry (it needs the whole in memory, in Base64). */
  inline_blob_bytes: 200 * 1024 * 1024,
  git_timeout_ms: 60_000,
  /** A file of 20 MB with some hundred versions takes git almost a minute. */
  blame_ms: 3 * 60_000,
  /** How long a caller waits for the last commits of a folder, and how long the history is walked for them. */
  last_commits_ms: 2_000,
  last_commits_walk_ms: 15 * 60_000,
  /** Up to how many entries of a folder are looked for at once. */
  last_commits_max: 1_000,
  /** Of one list of all paths of a commit, which is made whole before it is sent. */
  listed_paths: { paths_max: 100_000, bytes_max: 8 * 1024 * 1024 },
  /**
   * How many programs of git run at once for each purpose, over all callers and of one, how many may wait
   * and for how long.
   */
  git_turns: {
    /** What an answer waits for: lists, diffs, blame, merges. */
    read: {
      running_max: 8,
      running_of_one_max: 3,
      waiting_max: 400,
      waiting_of_one_max: 100,
      waiting_ms_max: 20_000,
    },
    /** What looks through all files of a commit, with several threads. */
    search: {
      running_max: 2,
      running_of_one_max: 1,
      waiting_max: 40,
      waiting_of_one_max: 10,
      waiting_ms_max: 20_000,
    },
    /** Compressing is the dearest thing git does. */
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
    /** A push from its first byte to its report. */
    push: {
      running_max: 32,
      running_of_one_max: 8,
      waiting_max: 400,
      waiting_of_one_max: 100,
      waiting_ms_max: 30 * 60_000,
    },
    /** Short steps of a change that has been accepted: hardly ever refused. */
    write: {
      running_max: 16,
      running_of_one_max: 8,
      waiting_max: 1000,
      waiting_of_one_max: 400,
      waiting_ms_max: 60_000,
    },
    /** Packing and measuring, by tasks. */
    upkeep: {
      running_max: 2,
      running_of_one_max: 2,
      waiting_max: 100,
      waiting_of_one_max: 100,
      waiting_ms_max: 60 * 60_000,
    },
    /** The kept processes that answer for objects; one more than are kept ends another one. */
    kept: {
      running_max: 80,
      running_of_one_max: 80,
      waiting_max: 5000,
      waiting_of_one_max: 5000,
      waiting_ms_max: 20_000,
    },
  },
  /**
   * What one command is given. Linux refuses an argument of 128 KiB (MAX_ARG_STRLEN, execve(2)) and, with its default
   * stack, arguments and environment of 2 MiB together.
   */
  git_command: {
    arguments_max: 4096,
    argument_bytes_max: 128 * 1024 - 1,
    arguments_bytes_max: 1024 * 1024,
    environment_bytes_max: 64 * 1024,
  },
  /** Steps of one piece of work that matches patterns of callers (`match-budget.ts`): some seconds, in turns. */
  match_steps_max: 3_000_000,
  /** Memory of programs of git. What they may hold together follows the machine (`src/git/git-memory-limiter.ts`). */
  git_memory: {
    /** What stays free for the server and everything else on the machine when a large program is to start. */
    reserve_bytes: 192 * 1024 * 1024,
    /** A program is ended only when the machine has less than this left. */
    danger_bytes: 96 * 1024 * 1024,
    /** What holds less than this is not ended to save the machine, because that would free too little. */
    ended_bytes_min: 32 * 1024 * 1024,
    /** What needs less than this starts without asking for room. */
    small_bytes: 96 * 1024 * 1024,
    /**
     * What one program that answers a request may hold: a share of what the machine has left, within these bounds.
     * Ordinary questions need far less; a few hostile trees can make git hold any amount.
     */
    read: { share: 0.4, bytes_min: 128 * 1024 * 1024, bytes_max: 512 * 1024 * 1024 },
    /** Programs that wait for memory. */
    turns: { waiting_max: 400, waiting_of_one_max: 100, waiting_ms_max: 60 * 60_000 },
  },
  /** How long git may take for what a commit changed, or for the figures of it. */
  diff_timeout_ms: 10_000,
  /** How long a file is followed over its renames; then it is listed under its present name alone. */
  git_follow_timeout_ms: 20_000,
  /** What a git command may print when its whole output is collected. */
  git_output_bytes: 64 * 1024 * 1024,
  /** A file's patch beyond this is left empty, and a diff ends beyond these. */
  patch_bytes: 200 * 1024,
  diff_files_max: 1000,
  diff_lines_max: 50_000,
  /** Paths and patches of a diff together: after these, patches are left empty. */
  diff_bytes_max: 8 * 1024 * 1024,
  /** Of a diff that is asked for file by file: files and bytes of their paths, and the texts of one page. */
  paged_diff: {
    files_max: 20_000,
    path_bytes_max: 8 * 1024 * 1024,
    /** A longer path is not handed to git. */
    named_path_bytes_max: 4096,
    /** The patch of a file where the caller asks for more than `patch_bytes`. */
    expanded_patch_bytes: 8 * 1024 * 1024,
    /** A page begins no further patch after these. */
    page_bytes_max: 4 * 1024 * 1024,
    /** All patches of one answer that is not paged. */
    all_patches_bytes_max: 256 * 1024 * 1024,
  },
  /** A larger tree, of some 200,000 entries, is not looked into. */
  tree_bytes_max: 8 * 1024 * 1024,
  /** A recursive listing of a tree ends here. */
  tree_entries_max: 500_000,
  /** The list of commits of a comparison has the newest of more. */
  compared_commits_max: 10_000,
  /** How long a program of git may take to send a client something large, where the client reads at the least rate. */
  git_transfer_ms: 24 * 60 * 60_000,
  /** A commit with more files has no languages: they are not counted (as linguist has it). */
  language_files_max: 100_000,
  /** What a client must read of an archive, a file or a pack that is ready for it, in each such window. */
  least_rate: { window_ms: 60_000, bytes_per_s: 16 * 1024 },
  /** What a client must send of a pack in each such window. */
  least_upload_rate: { window_ms: 60_000, bytes_per_s: 1024 },
  /** How long a clone or push may stand still before it is ended. */
  git_transfer_idle_ms: 10 * 60_000,
  /** Of git over SSH. */
  ssh: {
    /** How long a client has to name itself, agree on keys and sign in. */
    handshake_ms: 15_000,
    /** How many times it may try, a try being one key asked about or signed with. */
    attempts_max: 20,
    connections_max: 512,
    connections_per_address_max: 64,
    sessions_per_connection_max: 10,
    /** How long it may stay connected without a command. */
    idle_ms: 60_000,
    /** How long a command may go without a byte in either direction. */
    stall_ms: 10 * 60_000,
    /** How long a fetch may go without a byte in either direction; git itself says something every few seconds while it packs. */
    wait_ms: 2 * 60_000,
    /** The arguments of a remote archive. */
    archive_request_bytes: 64 * 1024,
    /** How often a silent client is asked whether it lives; after four times without an answer it does not. */
    keepalive_ms: 30_000,
  },
  sign_in: {
    /** So many failures in a row lock an account for so long. */
    failures_max: 10,
    locked_ms: 10 * 60_000,
    /** A session that is not used ends after this. */
    session_ms: 14 * 24 * 60 * 60_000,
    /** A user's oldest session gives way to one more. */
    sessions_max: 100,
    user_agent_characters: 255,
    recovery_codes: 10,
  },
  /** Of applications that users sign in to by this server (RFC 6749). */
  oauth: {
    code_ms: 10 * 60_000,
    access_token_ms: 2 * 60 * 60_000,
    id_token_ms: 2 * 60_000,
    /** Of devices without a browser (RFC 8628). */
    device_ms: 5 * 60_000,
    poll_interval_s: 5,
    poll_interval_s_max: 60,
    /** Applications of the instance, those of one user, and redirect URIs of one. */
    applications_max: 1000,
    user_applications_max: 100,
    redirect_uris_max: 50,
    redirect_uri_characters: 2048,
    /** Texts of an authorization request that are kept or repeated. */
    parameter_characters: 4096,
    nonce_characters: 1024,
    body_bytes: 32 * 1024,
    /** Tokens that one user holds by one application; the oldest give way. */
    tokens_max: 200,
    groups_max: 1000,
    /** How long what has ended is remembered, and how many of it one run of the task removes. */
    kept_ms: 30 * 24 * 60 * 60_000,
    kept_device_ms: 60 * 60_000,
    removed_max: 5000,
  },
  /** Of queries in GraphQL. */
  graphql: {
    query_characters: 10_000,
    body_bytes: 64 * 1024,
    tokens_max: 2_000,
    depth_max: 20,
    /** Fields, of which one that asks the database counts for several. */
    cost_max: 500,
    lookup_cost: 20,
  },
  /** How long audit events are kept, and how many one run of their task removes. */
  audit_events: { kept_ms: 365 * 24 * 60 * 60_000, removed_max: 1000 },
  /** Of background tasks. */
  tasks: {
    /** How often a worker looks for what others asked for, or for what has become due. */
    poll_ms: 1000,
    /** How often a worker that runs something says it lives, and how long after the last time it is dead. */
    beat_ms: 2000,
    silence_ms_max: 10_000,
    /** The wait after the first failure; it doubles each time up to the second figure. */
    retry_ms: 10_000,
    retry_ms_max: 60 * 60_000,
    /** Half a day of trying, unless a task says otherwise. */
    attempts_max: 20,
    /** How long a stopping worker waits for what runs: less than the process does. */
    stop_ms_max: 20_000,
    error_characters: 1000,
    /** How long lanes stay held by whoever says nothing more, and how often a holder says it lives. */
    hold_ms: 60_000,
    hold_renewal_ms: 10_000,
  },
  backup: {
    /** How long a backup waits for what was being removed or packed when it began. */
    wait_ms_max: 10 * 60_000,
    /** How old what a killed backup left is before the next one removes it. */
    unfinished_ms_min: 24 * 60 * 60_000,
    /** How often a repository is read again because it changed meanwhile. */
    attempts_max: 5,
    /** Packs from this size on are files of their own, which later backups share. */
    large_bytes_min: 1024 * 1024,
    /** What an archive of small files holds; further ones are files of their own. */
    archive_bytes_max: 64 * 1024 * 1024,
    /** Archives of many repositories lie in one file of this size; so many small ones stay before they are joined. */
    container_bytes_max: 16 * 1024 * 1024,
    small_containers_max: 16,
    /** Threads that read, and how many repositories each reads before it answers. */
    threads_max: 3,
    repositories_at_once: 8,
    /** What is read and written at once. */
    chunk_bytes: 1024 * 1024,
    /** Rows of a statement that loads a database, and values at the most. */
    rows_at_once_max: 500,
    values_at_once_max: 20_000,
  },
  /** Of emails that are sent. */
  mail: {
    /** Some seventy hours of trying, as the waits grow: less than `waiting_ms`. */
    attempts_max: 78,
    /** Looking up, connecting, being greeted, and silence in between. */
    step_ms: 10_000,
    /** All of it: less than a stopping server waits for what it is doing. */
    email_ms: 20_000,
    /** How long a server that could not be reached is left alone. */
    avoided_ms: 30_000,
    /** An email that cannot be handed over for so long is given up. */
    waiting_ms: 3 * 24 * 60 * 60_000,
    /** An account is sent no more than one email of a kind in this time, whoever asks. */
    interval_ms: 60_000,
    /** An address that nobody has proved to be theirs is sent no more than so many, whoever asks. */
    to_stranger_max_per_hour: 5,
    /** A user has no more than so many sent to such addresses. */
    to_strangers_max_per_hour: 100,
    to_strangers_max_per_day: 500,
    /** Of a name somebody chose. */
    name_characters: 60,
    /** Of a title in a subject. */
    subject_characters: 200,
    /** Of a text somebody wrote; what follows is read on the page. */
    text_characters: 8_000,
    /** Of the same as HTML. */
    html_characters: 100_000,
    /** How many people one run of the task works out that tells them of a change. */
    recipients_at_once: 200,
    /** Of how many projects one run looks for issues that are due. */
    projects_at_once: 1000,
    /** How long their links are good, as the real product has it. */
    reset_ms: 2 * 24 * 60 * 60_000,
    confirmation_ms: 24 * 60 * 60_000,
  },
  /** Of one search through the files of a commit: beyond these it ends with what it has found. */
  search: {
    text_characters: 4096,
    timeout_ms: 15_000,
    output_characters: 4 * 1024 * 1024,
    lines_of_file_max: 100,
    passage_characters: 10_000,
  },
  /** Of where lines and sections of a log are. A marker in a longer line, or beyond the last, is not seen. */
  log_index: {
    lines_apart: 1000,
    line_bytes: 16 * 1024,
    /** Looked through at once, in a few milliseconds. */
    chunk_bytes: 512 * 1024,
    sections_max: 1000,
    name_characters: 255,
    header_characters: 255,
    /** Logs of which it is kept. */
    kept: 50,
  },
  /** Of what is found while a name is typed. */
  quick_search: {
    text_characters: 255,
    hits: 12,
    /** Rows of one kind that are looked at for a part of a name, and of what one holds oneself. */
    parts: 1000,
    held: 1000,
  },
  /** Of blobs in S3 (docs/operating/s3.md). */
  s3: {
    /** One call, or the next bytes of an object; calls in which S3 copies objects have so many times as long. */
    call_ms: 10_000,
    long_call_times: 6,
    tries_max: 3,
    /** Before the second try, and twice as long before the third. */
    pause_ms: 200,
    sockets_max: 128,
    /** Of lists and errors. */
    answer_bytes_max: 8 * 1024 * 1024,
    retry_after_s: 5,
    /** A smaller object is one PUT. Two parts of an upload are in memory. */
    part_bytes: 8 * 1024 * 1024,
    /** After so many parts they are larger, for S3 takes 10,000: 360 GB in all. */
    small_parts_max: 5_000,
    large_part_bytes: 64 * 1024 * 1024,
    parts_max: 10_000,
    /** Larger objects are copied by parts. */
    copy_bytes_max: 64 * 1024 * 1024,
    copy_part_bytes: 64 * 1024 * 1024,
    /** Uploads under way. */
    uploads: {
      running_max: 48,
      running_of_one_max: 24,
      waiting_max: 500,
      waiting_of_one_max: 100,
      waiting_ms_max: 30_000,
    },
    /** How long a client may begin to download by a URL it was given. */
    presigned_s: 300,
    /** How often it is looked for uploads that a dead server began, and since when they had no new part. */
    leftovers_every_ms: 60 * 60_000,
    leftovers_quiet_ms: 24 * 60 * 60_000,
    /** Blobs that `bloomery blobs move` moves at once. */
    moves_at_once: 8,
  },
  /** How long an upload may stand still before it is ended. */
  upload_idle_ms: 10 * 60_000,
  /** A larger `.gitattributes` is not read. */
  git_attributes_bytes: 100 * 1024,
  /** Characters of paths and patterns that are held against each other for the attributes of one path. */
  git_attributes_characters: 4_000_000,
  custom_attribute_characters: 10_000,
  /** Of one user, project or group. */
  custom_attributes_max: 1000,
  /** How many a list can be asked for at once. */
  custom_attribute_filters_max: 20,
  /** One picture of a user, project or group. */
  avatar_bytes: 200 * 1024,
  /** A form with such a picture. Up to this size, a picture that is too big gets a message that says so. */
  avatar_body_bytes: 5 * 1024 * 1024,
  /** Objects one batch request may ask for; the client asks for 100 at a time. */
  lfs_batch_objects: 1000,
  /** Locks shown at once, as many as are shown when nobody says how many. */
  lfs_locks_max: 100,
  /** The command list of one push. */
  push_commands_bytes: 32 * 1024 * 1024,
  push_commands_max: 100_000,
  /** References that one run of a push mirror moves. */
  mirrored_refs_max: 20_000,
  /** References of one repository, whoever made them. */
  refs_max: 1_000_000,
  /** How often git is asked to move what is left of a push when a part of it cannot be. */
  push_attempts_max: 32,
  /** Protected branches that one push may move where only fast-forwards are allowed; each is a walk. */
  push_protected_moves_max: 200,
  /** Of one merge request. */
  merge_requests: {
    /** Commits by which it is found, and whose messages are looked at. */
    commits_max: 1000,
    /** Commits of a rebase. */
    rebased_commits_max: 1000,
    message_characters: 1_000_000,
    /** Open ones into a branch that is gone which go into another one instead. */
    retargeted_max: 4,
    /** Of one source or target branch, that a push is followed by at once. */
    followed_max: 1000,
    /** Of one fork, that members of their targets are asked about when they push there. */
    collaborations_max: 50,
    /** Branches of one push that its options bear on. */
    pushed_branches_max: 10,
    versions_max: 1000,
    /** How long a merge may be under way before it is looked what became of it. */
    merging_ms_max: 2 * 60_000,
    rebasing_ms_max: 10 * 60_000,
    /** Of conflicts that are resolved by the API: of each side of a file, of all files, and how many files. */
    conflict_file_bytes_max: 200 * 1024,
    conflict_bytes_max: 2 * 1024 * 1024,
    conflict_files_max: 50,
  },
  /** Projects and groups whose job tokens a project lets in. */
  job_token_allowlist_max: 200,
  secure_files: { bytes_max: 5 * 1024 * 1024, files_max: 100 },
  protected_environments: {
    /** Access levels, and rules of approval, of one protection. */
    entries_max: 50,
    approvals_max: 100,
    comment_characters: 255,
  },
  /** What one pipeline, its configuration and its jobs may be. */
  pipelines: {
    /** Paths of a commit that `exists` and wildcards of includes look through. */
    listed_paths_max: 100_000,
    pipeline_variables_max: 1000,
    /** References of one push that pipelines are made for; a push of more makes none. */
    pushed_refs_max: 4,
    /** Pipelines that start each other, one below the other. */
    descent_max: 2,
    /** One part of a log, and a log. */
    log_part_bytes: 1024 * 1024,
    log_bytes: 100 * 1024 * 1024,
    runner_tags_max: 50,
    /** How long a runner waits for a job at the most. */
    poll_ms: 50_000,
    /** How long a job waits for a runner, and how long one is silent, before it is given up. */
    pending_s_max: 24 * 60 * 60,
    silent_s_max: 60 * 60,
    /** How long one waits that no runner there is could run. */
    unmatched_s_max: 60 * 60,
    /** The built-in runner says every few seconds that it lives; one that was killed never does. */
    builtin_silent_s_max: 2 * 60,
    /** How late a delayed job may start. */
    delay_s_max: 60 * 60,
  },
  /** Of the configuration of a pipeline. */
  ci: {
    /** The text of one file. */
    file_bytes: 1024 * 1024,
    /** The words and marks of one file: as many as a megabyte of ordinary text has. */
    lexemes_max: 300_000,
    /** What a file, or all of them merged, amounts to with every alias written out. */
    tree_characters: 4 * 1024 * 1024,
    /** A larger one is not written out for people to read. */
    written_characters: 2 * 1024 * 1024,
    depth: 100,
    /** What all jobs of a plan amount to, each with what it shares with others. */
    plan_characters: 32 * 1024 * 1024,
    /** Steps of reading and planning, of about a microsecond each. */
    steps_max: 3_000_000,
    /** Of these, what is done at once, while nobody else has a turn. */
    unbroken_steps_max: 150_000,
    includes_max: 150,
    /** Of a pipeline; and with those that its rules leave out. */
    jobs_max: 500,
    configured_jobs_max: 20_000,
    job_name_characters: 255,
    /**
     * What texts become when their variables are expanded: names of things (tags, environments, resource groups),
     * paths, what else goes to a runner or service (audiences of tokens), and values of variables.
     */
    name_characters: 255,
    path_characters: 4096,
    text_characters: 1024,
    value_characters: 64 * 1024,
    /** Of one job, and audiences of one token; each token is signed. */
    id_tokens_max: 20,
    audiences_max: 20,
    needs_max: 50,
    parallel_max: 200,
    caches_max: 4,
    tags_max: 50,
    patterns_max: 50,
    /** Paths held against the patterns of one `exists`, before it is taken for granted. */
    exists_looks_max: 50_000,
    expression_characters: 10_000,
    /** Of a regular expression, once it is a program. */
    regular_expression_size: 2_000,
  },
} as const
