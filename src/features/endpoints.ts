// Every endpoint there is. What is not in this list is not served, documented or checked.
import type { Endpoint } from '../http/endpoint.ts'
import { archiveEndpoints } from './archives/archive.routes.ts'
import { avatarEndpoints } from './avatars/avatar.routes.ts'
import { backgroundTaskEndpoints } from './background-tasks/background-task.routes.ts'
import { blobEndpoints } from './blobs/blob.routes.ts'
import { branchEndpoints } from './branches/branch.routes.ts'
import { commitStatusEndpoints } from './commit-statuses/commit-status.routes.ts'
import { commitEndpoints } from './commits/commit.routes.ts'
import { commitCommentEndpoints } from './commits/commit-comment.routes.ts'
import { commitReadEndpoints } from './commits/commit-read.routes.ts'
import { pickCommitEndpoints } from './commits/pick-commit.routes.ts'
import { comparisonEndpoints } from './comparisons/comparison.routes.ts'
import { contributionEndpoints } from './contributions/contribution.routes.ts'
import { contributorEndpoints } from './contributors/contributor.routes.ts'
import { customAttributeEndpoints } from './custom-attributes/custom-attribute.routes.ts'
import { deployKeyEndpoints } from './deploy-keys/deploy-key.routes.ts'
import { confirmationEndpoints } from './emails/confirmation.routes.ts'
import { emailEndpoints } from './emails/email.routes.ts'
import { fileEndpoints } from './files/file.routes.ts'
import { followEndpoints } from './follows/follow.routes.ts'
import { gpgKeyEndpoints } from './gpg-keys/gpg-key.routes.ts'
import { groupEndpoints } from './groups/group.routes.ts'
import { transferGroupEndpoints } from './groups/transfer-group.routes.ts'
import { instanceEndpoints } from './instance/instance.routes.ts'
import { languageEndpoints } from './languages/language.routes.ts'
import { invitationEndpoints } from './members/invitation.routes.ts'
import { memberEndpoints } from './members/member.routes.ts'
import { membershipEndpoints } from './members/membership.routes.ts'
import { projectAccessEndpoints } from './members/project-access.routes.ts'
import { shareEndpoints } from './members/share.routes.ts'
import { namespaceEndpoints } from './namespaces/namespace.routes.ts'
import { preferencesEndpoints } from './profiles/preferences.routes.ts'
import { statusEndpoints } from './profiles/status.routes.ts'
import { archiveProjectEndpoints } from './projects/archive-project.routes.ts'
import { forkEndpoints } from './projects/fork.routes.ts'
import { projectEndpoints } from './projects/project.routes.ts'
import { projectListEndpoints } from './projects/project-list.routes.ts'
import { projectUpkeepEndpoints } from './projects/project-upkeep.routes.ts'
import { transferEndpoints } from './projects/transfer.routes.ts'
import { protectedBranchEndpoints } from './protected-branches/protected-branch.routes.ts'
import { searchEndpoints } from './search/search.routes.ts'
import { passwordEndpoints } from './sign-in/password.routes.ts'
import { passwordResetEndpoints } from './sign-in/password-reset.routes.ts'
import { sessionEndpoints } from './sign-in/session.routes.ts'
import { signatureEndpoints } from './signatures/signature.routes.ts'
import { sshKeyEndpoints } from './ssh-keys/ssh-key.routes.ts'
import { starEndpoints } from './stars/star.routes.ts'
import { tagEndpoints } from './tags/tag.routes.ts'
import { impersonationTokenEndpoints } from './tokens/impersonation-token.routes.ts'
import { tokenEndpoints } from './tokens/token.routes.ts'
import { treeEndpoints } from './trees/tree.routes.ts'
import { twoFactorEndpoints } from './two-factor/two-factor.routes.ts'
import { userEndpoints } from './users/user.routes.ts'
import { userStateEndpoints } from './users/user-state.routes.ts'
import { userWriteEndpoints } from './users/user-write.routes.ts'
import { variableEndpoints } from './variables/variable.routes.ts'

export const endpoints: readonly Endpoint[] = [
  ...projectListEndpoints,
  ...forkEndpoints,
  ...projectEndpoints,
  ...archiveProjectEndpoints,
  ...transferEndpoints,
  ...projectUpkeepEndpoints,
  ...avatarEndpoints,
  ...starEndpoints,
  ...contributionEndpoints,
  ...commitReadEndpoints,
  ...commitEndpoints,
  ...pickCommitEndpoints,
  ...commitCommentEndpoints,
  ...commitStatusEndpoints,
  ...fileEndpoints,
  ...treeEndpoints,
  ...blobEndpoints,
  ...archiveEndpoints,
  ...comparisonEndpoints,
  ...contributorEndpoints,
  ...languageEndpoints,
  ...searchEndpoints,
  ...branchEndpoints,
  ...tagEndpoints,
  ...signatureEndpoints,
  ...protectedBranchEndpoints,
  ...deployKeyEndpoints,
  ...groupEndpoints,
  ...transferGroupEndpoints,
  ...memberEndpoints,
  ...membershipEndpoints,
  ...invitationEndpoints,
  ...shareEndpoints,
  ...projectAccessEndpoints,
  ...variableEndpoints,
  ...namespaceEndpoints,
  ...userEndpoints,
  ...sessionEndpoints,
  ...passwordEndpoints,
  ...passwordResetEndpoints,
  ...twoFactorEndpoints,
  ...emailEndpoints,
  ...confirmationEndpoints,
  ...userWriteEndpoints,
  ...userStateEndpoints,
  ...customAttributeEndpoints,
  ...sshKeyEndpoints,
  ...gpgKeyEndpoints,
  ...statusEndpoints,
  ...preferencesEndpoints,
  ...followEndpoints,
  ...tokenEndpoints,
  ...impersonationTokenEndpoints,
  ...instanceEndpoints,
  ...backgroundTaskEndpoints,
]
