export const ciEditor = {
  title: 'Pipeline editor',
  lead: (path: string) => `Edit ${path}. The configuration is validated while you type.`,
  contentsOf: (path: string) => `Contents of ${path}`,
  storedElsewhere:
    'The CI configuration of this project is in another project or at a URL. Edit it there.',
  valid: 'The CI configuration is valid.',
  invalid: 'The CI configuration is invalid.',
  errors: 'Errors',
  warnings: 'Warnings',
  jobs: 'Jobs in a pipeline for the default branch',
  stage: (name: string) => `stage: ${name}`,
  message: 'Commit message',
  defaultMessage: 'Update CI configuration',
  branch: 'Target branch',
  commit: 'Commit changes',
  committed: 'Changes committed. A pipeline will start shortly.',
  template: `stages: [test]

test:
  stage: test
  script:
    - echo "Hello"
`,
}
