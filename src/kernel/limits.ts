// The bounds of everything a client can make the server hold or do. Units are in the names.

export const limits = {
  /** Bodies of ordinary operations. */
  body_bytes: 1024 * 1024,
  /** Bodies that carry file contents: a 100 MB blob in Base64 with room to spare. */
  content_body_bytes: 300 * 1024 * 1024,
  /** What an anonymous caller may make us read before being refused. */
  anonymous_body_bytes: 1024 * 1024,
  /** Nesting of JSON and of form parameters. */
  parameter_depth: 32,
  /** Members of any one array or object in a request. */
  parameter_members: 10_000,
  /** All values of one request together. */
  parameter_values: 100_000,
  header_bytes: 32 * 1024,
  url_bytes: 16 * 1024,
  per_page_max: 100,
  per_page_default: 20,
  /** Offset pagination of projects ends here (spec 1, Limits). */
  project_offset_max: 50_000,
  /** Above this many rows totals are neither counted nor sent. */
  counted_rows_max: 10_000,
  name_characters: 255,
  path_characters: 255,
  description_characters: 2000,
  note_characters: 1_000_000,
  namespace_depth: 20,
  /** A blob up to this size is read through the kept process and cached; a larger one is streamed. */
  cached_blob_bytes: 1024 * 1024,
  /** The largest blob the JSON file record can carry (it needs the whole in memory, in Base64). */
  inline_blob_bytes: 200 * 1024 * 1024,
  git_timeout_ms: 60_000,
  /** What a git command may print when its whole output is collected. */
  git_output_bytes: 64 * 1024 * 1024,
  /** A file's patch beyond this is left empty, and a diff ends beyond these. */
  patch_bytes: 200 * 1024,
  diff_files_max: 1000,
  diff_lines_max: 50_000,
  /** How long a clone or push may stand still before it is ended. */
  git_transfer_idle_ms: 10 * 60_000,
  /** How long an upload may stand still before it is ended. */
  upload_idle_ms: 10 * 60_000,
  /** A larger `.gitattributes` is not read. */
  attributes_bytes: 100 * 1024,
  /** One LFS object. */
  lfs_object_bytes: 100 * 1024 * 1024 * 1024,
  /** Objects one batch request may ask for; the client asks for 100 at a time. */
  lfs_batch_objects: 1000,
  /** Locks shown at once, as many as are shown when nobody says how many. */
  lfs_locks_max: 100,
  /** The command list of one push. */
  push_commands_bytes: 16 * 1024 * 1024,
} as const
