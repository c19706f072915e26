import type { Migration } from 'kysely/migration'
import * as users from './0001_users.ts'
import * as namespaces from './0002_namespaces.ts'
import * as projects from './0003_projects.ts'
import * as access from './0004_access.ts'
import * as protectedBranches from './0005_protected_branches.ts'
import * as tasks from './0006_tasks.ts'
import * as projectLists from './0007_project_lists.ts'
import * as commitComments from './0008_commit_comments.ts'
import * as sshKeys from './0009_ssh_keys.ts'
import * as projectLanguages from './0010_project_languages.ts'
import * as lfs from './0011_lfs.ts'
import * as commitStatuses from './0012_commit_statuses.ts'
import * as forks from './0013_forks.ts'
import * as signIn from './0014_sign_in.ts'
import * as userDetails from './0015_user_details.ts'
import * as userAdministration from './0016_user_administration.ts'
import * as customAttributes from './0017_custom_attributes.ts'
import * as projectLife from './0018_project_life.ts'
import * as variables from './0019_variables.ts'
import * as invitations from './0020_invitations.ts'
import * as projectVerifications from './0021_project_verifications.ts'
import * as projectVisibility from './0022_project_visibility.ts'
import * as linkTokens from './0023_link_tokens.ts'
import * as contributions from './0025_contributions.ts'
import * as gpgSubkeys from './0026_gpg_subkeys.ts'
import * as tokenParents from './0027_token_parents.ts'
import * as auditEvents from './0028_audit_events.ts'
import * as countedLetters from './0029_counted_letters.ts'
import * as hiddenVariables from './0032_hidden_variables.ts'
import * as newerProjectSettings from './0033_newer_project_settings.ts'
import * as pronouns from './0034_pronouns.ts'

/** Forward only: a landed migration is never edited, renamed or removed; add the next number. */
export const migrations: Record<string, Migration> = {
  '0001_users': users,
  '0002_namespaces': namespaces,
  '0003_projects': projects,
  '0004_access': access,
  '0005_protected_branches': protectedBranches,
  '0006_tasks': tasks,
  '0007_project_lists': projectLists,
  '0008_commit_comments': commitComments,
  '0009_ssh_keys': sshKeys,
  '0010_project_languages': projectLanguages,
  '0011_lfs': lfs,
  '0012_commit_statuses': commitStatuses,
  '0013_forks': forks,
  '0014_sign_in': signIn,
  '0015_user_details': userDetails,
  '0016_user_administration': userAdministration,
  '0017_custom_attributes': customAttributes,
  '0018_project_life': projectLife,
  '0019_variables': variables,
  '0020_invitations': invitations,
  '0021_project_verifications': projectVerifications,
  '0022_project_visibility': projectVisibility,
  '0023_link_tokens': linkTokens,
  '0025_contributions': contributions,
  '0026_gpg_subkeys': gpgSubkeys,
  '0027_token_parents': tokenParents,
  '0028_audit_events': auditEvents,
  '0029_counted_letters': countedLetters,
  '0032_hidden_variables': hiddenVariables,
  '0033_newer_project_settings': newerProjectSettings,
  '0034_pronouns': pronouns,
}
