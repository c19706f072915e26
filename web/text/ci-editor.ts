export const ciEditor = {
  title: 'Pipeline editor',
  lead: (path: string) => `What ${path} says is what pipelines do. It is checked while you write.`,
  file: (path: string) => `Text of ${path}`,
  elsewhere: 'This file is not in the repository of the project: it is changed where it is.',
  good: 'It can be run.',
  wrong: 'It cannot be run yet.',
  errors: 'Errors',
  warnings: 'Warnings',
  jobs: 'Jobs of a push to the default branch',
  stage: (name: string) => `in ${name}`,
  merged: 'With all that it includes',
  message: 'Message',
  messageText: 'Change the pipeline',
  branch: 'Branch',
  commit: 'Commit',
  committed: 'Committed: a pipeline is on its way',
  first: `stages: [test]

test:
  stage: test
  script:
    - echo "Hello"
`,
}
