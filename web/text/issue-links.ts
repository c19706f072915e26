/** Words of the links between issues and of what is related to one. */
export const issueLinks = {
  linked: 'Linked issues',
  linkedEmpty: 'No linked issues',
  linkAdd: 'Add link',
  linkRemove: (reference: string) => `Remove link to ${reference}`,
  linkField: 'Issue to link',
  linkHint: 'Search by title, or enter a reference such as #123 or group/project#123.',
  linkType: 'Relationship',
  linkTypes: [
    ['relates_to', 'Relates to'],
    ['blocks', 'Blocks'],
    ['is_blocked_by', 'Is blocked by'],
  ] as readonly (readonly [string, string])[],
  linkWords: {
    relates_to: 'Relates to',
    blocks: 'Blocks',
    is_blocked_by: 'Is blocked by',
  } as Readonly<Record<string, string>>,
  relatedRequests: 'Related merge requests',
  createBranch: 'Create merge request',
}
