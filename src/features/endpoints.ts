// Every endpoint there is. What is not in this list is not served, documented or checked.
import type { Endpoint } from '../http/endpoint.ts'
import { avatarEndpoints } from './basics/avatars/avatar.routes.ts'
import { customAttributeEndpoints } from './basics/custom-attributes/custom-attribute.routes.ts'
import { namespaceEndpoints } from './basics/namespaces/namespace.routes.ts'
import { commitStatusEndpoints } from './delivery/commit-statuses/commit-status.routes.ts'
import { variableEndpoints } from './delivery/variables/variable.routes.ts'
import { groupEndpoints } from './groups/groups/group.routes.ts'
import { transferGroupEndpoints } from './groups/groups/transfer-group.routes.ts'
import { shareEndpoints } from './groups/shares/share.routes.ts'
import { instanceEndpoints } from './operating/instance/instance.routes.ts'
import { emailEndpoints } from './people/emails/email.routes.ts'
import { followEndpoints } from './people/follows/follow.routes.ts'
import { gpgKeyEndpoints } from './people/gpg-keys/gpg-key.routes.ts'
import { invitationEndpoints } from './people/members/invitation.routes.ts'
import { memberEndpoints } from './people/members/member.routes.ts'
import { membershipEndpoints } from './people/members/membership.routes.ts'
import { projectAccessEndpoints } from './people/members/project-access.routes.ts'
import { preferencesEndpoints } from './people/profiles/preferences.routes.ts'
import { statusEndpoints } from './people/profiles/status.routes.ts'
import { userSessionEndpoints } from './people/sessions/session.routes.ts'
import { passwordEndpoints } from './people/sign-in/password.routes.ts'
import { passwordResetEndpoints } from './people/sign-in/password-reset.routes.ts'
import { sessionEndpoints } from './people/sign-in/session.routes.ts'
import { twoFactorEndpoints } from './people/sign-in/two-factor.routes.ts'
import { sshKeyEndpoints } from './people/ssh-keys/ssh-key.routes.ts'
import { impersonationTokenEndpoints } from './people/tokens/impersonation-token.routes.ts'
import { tokenEndpoints } from './people/tokens/token.routes.ts'
import { confirmationEndpoints } from './people/users/confirmation.routes.ts'
import { userEndpoints } from './people/users/user.routes.ts'
import { userStateEndpoints } from './people/users/user-state.routes.ts'
import { userWriteEndpoints } from './people/users/user-write.routes.ts'
import { contributionEndpoints } from './projects/contributions/contribution.routes.ts'
import { forkEndpoints } from './projects/forks/fork.routes.ts'
import { archiveProjectEndpoints } from './projects/projects/archive-project.routes.ts'
import { projectEndpoints } from './projects/projects/project.routes.ts'
import { projectListEndpoints } from './projects/projects/project-list.routes.ts'
import { transferEndpoints } from './projects/projects/transfer.routes.ts'
import { starEndpoints } from './projects/stars/star.routes.ts'
import { archiveEndpoints } from './repository/archives/archive.routes.ts'
import { blobEndpoints } from './repository/blobs/blob.routes.ts'
import { branchEndpoints } from './repository/branches/branch.routes.ts'
import { commitEndpoints } from './repository/commits/commit.routes.ts'
import { commitCommentEndpoints } from './repository/commits/commit-comment.routes.ts'
import { commitReadEndpoints } from './repository/commits/commit-read.routes.ts'
import { pickCommitEndpoints } from './repository/commits/pick-commit.routes.ts'
import { comparisonEndpoints } from './repository/comparisons/comparison.routes.ts'
import { contributorEndpoints } from './repository/contributors/contributor.routes.ts'
import { deployKeyEndpoints } from './repository/deploy-keys/deploy-key.routes.ts'
import { fileEndpoints } from './repository/files/file.routes.ts'
import { languageEndpoints } from './repository/languages/language.routes.ts'
import { projectUpkeepEndpoints } from './repository/maintenance/project-upkeep.routes.ts'
import { protectedBranchEndpoints } from './repository/protected-branches/protected-branch.routes.ts'
import { searchEndpoints } from './repository/search/search.routes.ts'
import { signatureEndpoints } from './repository/signatures/signature.routes.ts'
import { tagEndpoints } from './repository/tags/tag.routes.ts'
import { treeEndpoints } from './repository/trees/tree.routes.ts'

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
  ...userSessionEndpoints,
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
]
