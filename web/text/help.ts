export const help = {
  title: 'Help',
  lead: 'What one does here, in a few lines each.',
  git: 'Code in and out',
  gitText:
    'Over HTTP, git asks for your user name and a token with the scope write_repository. Over SSH it takes a key of yours.',
  gitLine: 'Clone a project',
  tokens: 'Make a token',
  keys: 'Add an SSH key',
  find: 'Find and do',
  findText:
    'Ctrl K (Cmd K on a Mac) opens a field that finds projects, groups, people and files, and does what this page can. A question mark lists the keys of the page you are on.',
  signs: [
    ['>', 'what this page can do'],
    ['@', 'people'],
    ['~', 'files of the project'],
    [':', 'a line of the file'],
  ] as const,
  ci: 'Pipelines',
  ciText:
    'A file .gitlab-ci.yml in a project says what to run after a push. The page of pipelines has an editor that checks it.',
  api: 'By programs',
  apiText:
    'Everything these pages do is done by an API that is open to your programs, with a token. "Show as API" in your menu tells the calls of the page you are on.',
  apiDocument: 'The API, operation by operation',
  apiLine: 'Who am I, by curl',
}
