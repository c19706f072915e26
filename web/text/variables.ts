/** Words of the variables of a project, a group and the instance. */
export const variables = {
  title: 'Variables',
  lead: {
    projects:
      'Jobs receive these variables. Masked values are hidden in job logs. Protected variables are passed only to jobs on protected branches and tags.',
    groups:
      'Jobs of all projects in this group receive these variables. Masked values are hidden in job logs. Protected variables are passed only to jobs on protected branches and tags.',
    instance:
      'Jobs of all projects on this server receive these variables. Masked values are hidden in job logs. Protected variables are passed only to jobs on protected branches and tags.',
  },
  empty: 'No variables yet',
  add: 'Add variable',
  edit: 'Edit variable',
  editTitle: (key: string) => `Edit variable ${key}`,
  save: 'Save changes',
  saved: 'Variable saved',
  added: (key: string) => `Variable ${key} added`,
  removed: (key: string) => `Variable ${key} deleted`,
  menu: (key: string, scope: string) =>
    scope === '' || scope === '*' ? `Actions for ${key}` : `Actions for ${key} in ${scope}`,
  menuSign: '⋯',
  remove: 'Delete variable',
  removeTitle: (key: string) => `Delete variable ${key}?`,
  removeText: 'Jobs no longer receive this variable. This cannot be undone.',
  masked: 'masked',
  hidden: 'hidden',
  protected: 'protected',
  file: 'file',
  raw: 'raw',
  key: 'Key',
  value: 'Value',
  valueHidden: 'The value is hidden. Leave this field empty to keep it.',
  description: 'Description',
  type: 'Type',
  types: [
    ['env_var', 'Variable'],
    ['file', 'File'],
  ] as readonly (readonly [string, string])[],
  scope: 'Environment scope',
  scopeHint: 'An environment name, a pattern such as review/*, or * for all environments.',
  visibility: 'Visibility',
  visibilities: [
    { value: 'visible', label: 'Visible', hint: 'The value can appear in job logs.' },
    {
      value: 'masked',
      label: 'Masked',
      hint: 'Job logs show [MASKED] instead of the value. The value needs 8 characters or more without spaces.',
    },
    {
      value: 'hidden',
      label: 'Masked and hidden',
      hint: 'Masked in job logs, and nobody can reveal the value after you save it. You cannot change the visibility later.',
    },
  ],
  alwaysHidden: 'Masked and hidden. You cannot change the visibility of this variable.',
  protect: 'Pass only to jobs on protected branches and tags',
  rawField: 'Raw: do not expand references to other variables',
}
