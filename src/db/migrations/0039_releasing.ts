import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
type AnyDb = Kysely<any>

/** Badges, uploads, releases, protected tags, deploy tokens, bots with their tokens, access requests, push mirrors. */
export async function up(db: AnyDb): Promise<void> {
  await makeBadges(db)
  await makeUploads(db)
  await makeReleases(db)
  await makeProtectedTags(db)
  await makeTokens(db)
  await makeAccessRequests(db)
  await makeRemoteMirrors(db)
}

async function makeBadges(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('badges')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) => c.references('projects.id').onDelete('cascade'))
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .addColumn('name', 'text')
    .addColumn('link_url', 'text', (c) => c.notNull())
    .addColumn('image_url', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await index(db, 'badges_project on badges (project_id, id)')
  await index(db, 'badges_namespace on badges (namespace_id, id)')
  await index(db, 'projects_of_namespace on projects (namespace_id, created_at, id)')
}

async function makeUploads(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('uploads')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('uploaded_by_id', 'bigint', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('file_name', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('blob', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await unique(db, 'uploads_secret on uploads (project_id, secret, file_name)')
  await index(db, 'uploads_project on uploads (project_id, id)')
  await index(db, 'uploads_uploaded_by on uploads (uploaded_by_id)')
}

async function makeReleases(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('releases')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('tag', 'text', (c) => c.notNull())
    .addColumn('name', 'text')
    .addColumn('description', 'text')
    .addColumn('sha', 'text')
    .addColumn('author_id', 'bigint', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('released_at', 'timestamptz', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await unique(db, 'releases_tag on releases (project_id, tag)')
  await index(db, 'releases_released_at on releases (project_id, released_at, id)')
  await index(db, 'releases_created_at on releases (project_id, created_at, id)')
  await index(db, 'releases_author on releases (author_id)')

  await db.schema
    .createTable('release_links')
    .addColumn('id', id.type, id.build)
    .addColumn('release_id', 'bigint', (c) =>
      c.notNull().references('releases.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('filepath', 'text')
    .addColumn('link_type', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await unique(db, 'release_links_name on release_links (release_id, name)')
  await unique(db, 'release_links_url on release_links (release_id, url)')
  await unique(db, 'release_links_filepath on release_links (release_id, filepath)')

  await db.schema
    .createTable('release_milestones')
    .addColumn('release_id', 'bigint', (c) =>
      c.notNull().references('releases.id').onDelete('cascade'),
    )
    .addColumn('milestone_id', 'bigint', (c) =>
      c.notNull().references('milestones.id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('release_milestones_key', ['release_id', 'milestone_id'])
    .execute()
  await index(db, 'release_milestones_milestone on release_milestones (milestone_id)')
}

async function makeProtectedTags(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('protected_tags')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await unique(db, 'protected_tags_name on protected_tags (project_id, name)')
  await db.schema
    .createTable('protected_tag_access_levels')
    .addColumn('id', id.type, id.build)
    .addColumn('protected_tag_id', 'bigint', (c) =>
      c.notNull().references('protected_tags.id').onDelete('cascade'),
    )
    .addColumn('access_level', 'integer')
    .addColumn('user_id', 'bigint', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('group_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .execute()
  await index(
    db,
    'protected_tag_access_levels_tag on protected_tag_access_levels (protected_tag_id)',
  )
  await index(db, 'protected_tag_access_levels_user on protected_tag_access_levels (user_id)')
  await index(db, 'protected_tag_access_levels_group on protected_tag_access_levels (group_id)')
}

async function makeTokens(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('access_token_bots')
    .addColumn('user_id', 'bigint', (c) =>
      c.primaryKey().references('users.id').onDelete('cascade'),
    )
    .addColumn('project_id', 'bigint', (c) => c.references('projects.id').onDelete('set null'))
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespaces.id').onDelete('set null'))
    .addColumn('access_level', 'integer', (c) => c.notNull())
    .addColumn('created_by_id', 'bigint', (c) => c.references('users.id').onDelete('set null'))
    .execute()
  await index(db, 'access_token_bots_project on access_token_bots (project_id)')
  await index(db, 'access_token_bots_namespace on access_token_bots (namespace_id)')
  await index(db, 'access_token_bots_created_by on access_token_bots (created_by_id)')

  await db.schema
    .alterTable('personal_access_tokens')
    .addColumn('rotated_from_id', 'bigint', (c) =>
      c.references('personal_access_tokens.id').onDelete('set null'),
    )
    .execute()
  await unique(
    db,
    'personal_access_tokens_rotated_from on personal_access_tokens (rotated_from_id)',
  )

  await db.schema
    .createTable('deploy_tokens')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) => c.references('projects.id').onDelete('cascade'))
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('username', 'text', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull())
    .addColumn('token', 'text')
    .addColumn('scopes', 'jsonb', (c) => c.notNull())
    .addColumn('expires_at', 'timestamptz')
    .addColumn('created_by_id', 'bigint', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await unique(db, 'deploy_tokens_digest on deploy_tokens (digest)')
  await index(db, 'deploy_tokens_project on deploy_tokens (project_id, id)')
  await index(db, 'deploy_tokens_namespace on deploy_tokens (namespace_id, id)')
  await index(db, 'deploy_tokens_created_by on deploy_tokens (created_by_id)')
}

async function makeAccessRequests(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('access_requests')
    .addColumn('id', id.type, id.build)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('project_id', 'bigint', (c) => c.references('projects.id').onDelete('cascade'))
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .addColumn('requested_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await unique(db, 'access_requests_project on access_requests (project_id, user_id)')
  await unique(db, 'access_requests_namespace on access_requests (namespace_id, user_id)')
  await index(db, 'access_requests_user on access_requests (user_id)')
}

async function makeRemoteMirrors(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('remote_mirrors')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('shown_url', 'text', (c) => c.notNull())
    .addColumn('enabled', 'boolean', (c) => c.notNull())
    .addColumn('only_protected_branches', 'boolean', (c) => c.notNull())
    .addColumn('keep_divergent_refs', 'boolean', (c) => c.notNull())
    .addColumn('update_status', 'text', (c) => c.notNull().defaultTo('none'))
    .addColumn('last_update_at', 'timestamptz')
    .addColumn('last_update_started_at', 'timestamptz')
    .addColumn('last_successful_update_at', 'timestamptz')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await index(db, 'remote_mirrors_project on remote_mirrors (project_id, id)')
}

async function index(db: AnyDb, what: string): Promise<void> {
  await sql`create index ${sql.raw(what)}`.execute(db)
}

async function unique(db: AnyDb, what: string): Promise<void> {
  await sql`create unique index ${sql.raw(what)}`.execute(db)
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  badges: { note: 'Badges of a project, or of a group, which is then the namespace.' },
  'badges.link_url': { note: 'May contain placeholders, like `image_url`.' },
  uploads: { note: 'Files that users attach to texts in a project.' },
  'uploads.secret': { note: '32 hex digits, which make the URL unguessable.' },
  'uploads.blob': { note: 'The name of its blob.' },
  'releases.tag': { note: 'The name of the tag, which may have been deleted.' },
  'releases.sha': { note: 'The commit that the tag pointed to when the release was created.' },
  'release_links.link_type': { type: "'other' | 'runbook' | 'image' | 'package'" },
  'protected_tags.name': { note: 'A name, or a pattern with `*`.' },
  protected_tag_access_levels: {
    note: 'Roles, users and groups that a rule allows to create matching tags.',
  },
  access_token_bots: {
    note: 'Bot users of project and group access tokens. Both ids are null after the project or group was deleted, until a task removes the user.',
  },
  'access_token_bots.access_level': {
    note: 'The access level that the membership had, which may have expired.',
  },
  'personal_access_tokens.rotated_from_id': {
    note: 'The token that this one replaced by rotation. Tokens linked this way form a family.',
  },
  'deploy_tokens.digest': { note: 'SHA-256 of the token.' },
  'deploy_tokens.token': {
    note: 'Encrypted. Stored only for tokens named `gitlab-deploy-token`, which jobs receive.',
  },
  'deploy_tokens.scopes': { type: 'string[]' },
  'remote_mirrors.url': { note: 'The URL with its credentials, encrypted.' },
  'remote_mirrors.shown_url': { note: 'The URL without credentials.' },
  'remote_mirrors.update_status': {
    type: "'none' | 'started' | 'finished' | 'failed' | 'to_retry'",
  },
}
