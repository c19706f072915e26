// All families in the order of domains; the steps of an effect run in this order.

import type { Endpoint } from '../http/endpoint.ts'
import { registerEffectSteps } from '../kernel/effect.ts'
import { registerAbilityOperations } from './abilities.ts'
import { eventStreamFamily } from './activity/event-streams/event-stream.family.ts'
import { eventFamily } from './activity/events/event.family.ts'
import { notificationFamily } from './activity/notifications/notification.family.ts'
import { searchFamily } from './activity/search/search.family.ts'
import { statusCheckFamily } from './activity/status-checks/status-check.family.ts'
import { webhookFamily } from './activity/webhooks/webhook.family.ts'
import { auditEventFamily } from './basics/audit-events/audit-event.family.ts'
import { avatarFamily } from './basics/avatars/avatar.family.ts'
import { customAttributeFamily } from './basics/custom-attributes/custom-attribute.family.ts'
import { helpPageFamily } from './basics/help-pages/help-page.family.ts'
import { namespaceFamily } from './basics/namespaces/namespace.family.ts'
import { settingFamily } from './basics/settings/setting.family.ts'
import { badgeFamily } from './content/badges/badge.family.ts'
import { changelogFamily } from './content/changelogs/changelog.family.ts'
import { pagesFamily } from './content/pages/pages.family.ts'
import { pagesDomainFamily } from './content/pages-domains/pages-domain.family.ts'
import { releaseFamily } from './content/releases/release.family.ts'
import { secureFileFamily } from './content/secure-files/secure-file.family.ts'
import { uploadFamily } from './content/uploads/upload.family.ts'
import { wikiFamily } from './content/wikis/wiki.family.ts'
import { artifactFamily } from './delivery/artifacts/artifact.family.ts'
import { bridgeFamily } from './delivery/bridges/bridge.family.ts'
import { commitStatusFamily } from './delivery/commit-statuses/commit-status.family.ts'
import { environmentFamily } from './delivery/environments/environment.family.ts'
import { jobTokenScopeFamily } from './delivery/job-token-scopes/job-token-scope.family.ts'
import { jobFamily } from './delivery/jobs/job.family.ts'
import { lintFamily } from './delivery/lint/lint.family.ts'
import { pipelineCreationFamily } from './delivery/pipeline-creation/pipeline-creation.family.ts'
import { pipelineScheduleFamily } from './delivery/pipeline-schedules/pipeline-schedule.family.ts'
import { pipelineFamily } from './delivery/pipelines/pipeline.family.ts'
import { protectedEnvironmentFamily } from './delivery/protected-environments/protected-environment.family.ts'
import { resourceGroupFamily } from './delivery/resource-groups/resource-group.family.ts'
import { runnerFamily } from './delivery/runners/runner.family.ts'
import { testReportFamily } from './delivery/test-reports/test-report.family.ts'
import { triggerFamily } from './delivery/triggers/trigger.family.ts'
import { variableFamily } from './delivery/variables/variable.family.ts'
import type { Family } from './family.ts'
import { accessTokenFamily } from './groups/access-tokens/access-token.family.ts'
import { groupFamily } from './groups/groups/group.family.ts'
import { shareFamily } from './groups/shares/share.family.ts'
import { backgroundTaskFamily } from './operating/background-tasks/background-task.family.ts'
import { backupFamily } from './operating/backups/backup.family.ts'
import { broadcastMessageFamily } from './operating/broadcast-messages/broadcast-message.family.ts'
import { clusterFamily } from './operating/clusters/cluster.family.ts'
import { instanceFamily } from './operating/instance/instance.family.ts'
import { nodeFamily } from './operating/nodes/node.family.ts'
import { storageMoveFamily } from './operating/storage-moves/storage-move.family.ts'
import { confirmationFamily } from './people/confirmations/confirmation.family.ts'
import { emailFamily } from './people/emails/email.family.ts'
import { followFamily } from './people/follows/follow.family.ts'
import { gpgKeyFamily } from './people/gpg-keys/gpg-key.family.ts'
import { memberFamily } from './people/members/member.family.ts'
import { oauthFamily } from './people/oauth/oauth.family.ts'
import { outgoingEmailFamily } from './people/outgoing-emails/outgoing-email.family.ts'
import { profileFamily } from './people/profiles/profile.family.ts'
import { registrationFamily } from './people/registrations/registration.family.ts'
import { sessionFamily } from './people/sessions/session.family.ts'
import { signInFamily } from './people/sign-in/sign-in.family.ts'
import { sshKeyFamily } from './people/ssh-keys/ssh-key.family.ts'
import { tokenFamily } from './people/tokens/token.family.ts'
import { userFamily } from './people/users/user.family.ts'
import { boardFamily } from './planning/boards/board.family.ts'
import { issueLinkFamily } from './planning/issue-links/issue-link.family.ts'
import { issueFamily } from './planning/issues/issue.family.ts'
import { labelFamily } from './planning/labels/label.family.ts'
import { markdownFamily } from './planning/markdown/markdown.family.ts'
import { milestoneFamily } from './planning/milestones/milestone.family.ts'
import { notificationSettingFamily } from './planning/notification-settings/notification-setting.family.ts'
import { resourceEventFamily } from './planning/resource-events/resource-event.family.ts'
import { contributionFamily } from './projects/contributions/contribution.family.ts'
import { forkFamily } from './projects/forks/fork.family.ts'
import { projectFamily } from './projects/projects/project.family.ts'
import { starFamily } from './projects/stars/star.family.ts'
import { topicFamily } from './projects/topics/topic.family.ts'
import { addressFamily } from './repository/addresses/address.family.ts'
import { archiveFamily } from './repository/archives/archive.family.ts'
import { blobFamily } from './repository/blobs/blob.family.ts'
import { branchFamily } from './repository/branches/branch.family.ts'
import { commitFamily } from './repository/commits/commit.family.ts'
import { comparisonFamily } from './repository/comparisons/comparison.family.ts'
import { contributorFamily } from './repository/contributors/contributor.family.ts'
import { deployKeyFamily } from './repository/deploy-keys/deploy-key.family.ts'
import { deployTokenFamily } from './repository/deploy-tokens/deploy-token.family.ts'
import { fileFamily } from './repository/files/file.family.ts'
import { languageFamily } from './repository/languages/language.family.ts'
import { lfsFamily } from './repository/lfs/lfs.family.ts'
import { maintenanceFamily } from './repository/maintenance/maintenance.family.ts'
import { protectedBranchFamily } from './repository/protected-branches/protected-branch.family.ts'
import { protectedTagFamily } from './repository/protected-tags/protected-tag.family.ts'
import { pushFamily } from './repository/pushes/push.family.ts'
import { remoteMirrorFamily } from './repository/remote-mirrors/remote-mirror.family.ts'
import { signatureFamily } from './repository/signatures/signature.family.ts'
import { tagFamily } from './repository/tags/tag.family.ts'
import { templateFamily } from './repository/templates/template.family.ts'
import { treeFamily } from './repository/trees/tree.family.ts'
import { approvalFamily } from './review/approvals/approval.family.ts'
import { awardFamily } from './review/awards/award.family.ts'
import { commitDiscussionFamily } from './review/commit-discussions/commit-discussion.family.ts'
import { conflictFamily } from './review/conflicts/conflict.family.ts'
import { descriptionVersionFamily } from './review/description-versions/description-version.family.ts'
import { draftNoteFamily } from './review/draft-notes/draft-note.family.ts'
import { mergeRequestChangeFamily } from './review/merge-request-changes/merge-request-change.family.ts'
import { mergeRequestListFamily } from './review/merge-request-lists/merge-request-list.family.ts'
import { mergeRequestVersionFamily } from './review/merge-request-versions/merge-request-version.family.ts'
import { mergeRequestFamily } from './review/merge-requests/merge-request.family.ts'
import { mergeFamily } from './review/merging/merge.family.ts'
import { noteFamily } from './review/notes/note.family.ts'
import { reviewerFamily } from './review/reviewers/reviewer.family.ts'
import { todoFamily } from './review/todos/todo.family.ts'
import { viewedFileFamily } from './review/viewed-files/viewed-file.family.ts'
import { alertIntegrationFamily } from './security/alert-integrations/alert-integration.family.ts'
import { alertFamily } from './security/alerts/alert.family.ts'
import { dependencyFamily } from './security/dependencies/dependency.family.ts'
import { managedLicenseFamily } from './security/managed-licenses/managed-license.family.ts'
import { metricImageFamily } from './security/metric-images/metric-image.family.ts'
import { pipelineLicenseFamily } from './security/pipeline-licenses/pipeline-license.family.ts'
import { scanFamily } from './security/scans/scan.family.ts'
import { securityDashboardFamily } from './security/security-dashboards/security-dashboard.family.ts'
import { vulnerabilityFamily } from './security/vulnerabilities/vulnerability.family.ts'
import { vulnerabilityExportFamily } from './security/vulnerability-exports/vulnerability-export.family.ts'

export const families: readonly Family[] = [
  // basics
  auditEventFamily,
  avatarFamily,
  customAttributeFamily,
  namespaceFamily,
  helpPageFamily,
  settingFamily,
  // people
  emailFamily,
  followFamily,
  gpgKeyFamily,
  outgoingEmailFamily,
  memberFamily,
  oauthFamily,
  profileFamily,
  sessionFamily,
  signInFamily,
  sshKeyFamily,
  tokenFamily,
  userFamily,
  confirmationFamily,
  registrationFamily,
  // projects
  contributionFamily,
  forkFamily,
  projectFamily,
  starFamily,
  topicFamily,
  // groups
  accessTokenFamily,
  groupFamily,
  shareFamily,
  // repository
  addressFamily,
  archiveFamily,
  blobFamily,
  branchFamily,
  commitFamily,
  comparisonFamily,
  contributorFamily,
  deployKeyFamily,
  deployTokenFamily,
  fileFamily,
  languageFamily,
  lfsFamily,
  maintenanceFamily,
  protectedBranchFamily,
  protectedTagFamily,
  pushFamily,
  remoteMirrorFamily,
  signatureFamily,
  tagFamily,
  templateFamily,
  treeFamily,
  // delivery
  bridgeFamily,
  artifactFamily,
  commitStatusFamily,
  protectedEnvironmentFamily,
  environmentFamily,
  jobFamily,
  lintFamily,
  secureFileFamily,
  jobTokenScopeFamily,
  pipelineFamily,
  pipelineCreationFamily,
  pipelineScheduleFamily,
  resourceGroupFamily,
  runnerFamily,
  testReportFamily,
  triggerFamily,
  variableFamily,
  // planning, review, content and activity, in the order in which their effects have always run
  boardFamily,
  changelogFamily,
  awardFamily,
  webhookFamily,
  eventFamily,
  eventStreamFamily,
  issueFamily,
  issueLinkFamily,
  badgeFamily,
  releaseFamily,
  uploadFamily,
  labelFamily,
  markdownFamily,
  mergeRequestListFamily,
  mergeRequestFamily,
  mergeRequestChangeFamily,
  mergeRequestVersionFamily,
  approvalFamily,
  reviewerFamily,
  mergeFamily,
  conflictFamily,
  milestoneFamily,
  noteFamily,
  resourceEventFamily,
  searchFamily,
  todoFamily,
  notificationSettingFamily,
  notificationFamily,
  draftNoteFamily,
  descriptionVersionFamily,
  viewedFileFamily,
  commitDiscussionFamily,
  statusCheckFamily,
  wikiFamily,
  // security
  dependencyFamily,
  managedLicenseFamily,
  pipelineLicenseFamily,
  securityDashboardFamily,
  vulnerabilityExportFamily,
  scanFamily,
  vulnerabilityFamily,
  alertFamily,
  alertIntegrationFamily,
  metricImageFamily,
  // operating
  backgroundTaskFamily,
  broadcastMessageFamily,
  clusterFamily,
  instanceFamily,
  nodeFamily,
  backupFamily,
  pagesDomainFamily,
  pagesFamily,
  storageMoveFamily,
]

export const endpoints: readonly Endpoint[] = families.flatMap((family) => family.endpoints ?? [])

registerAbilityOperations(endpoints)
registerEffectSteps(families.flatMap(({ effects = [] }) => effects))
