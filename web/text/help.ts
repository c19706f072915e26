export const helpPagesText = {
  title: 'Help',
  lead: 'How to get started with Bloomery.',
  git: 'Clone, pull and push',
  gitText:
    'Over HTTP, use your username and a personal access token with the write_repository scope. Over SSH, use an SSH key that you added to your account.',
  gitLine: 'clone command',
  tokens: 'Create personal access token',
  keys: 'Add SSH key',
  find: 'Command palette and shortcuts',
  findText:
    'Press Ctrl K (Cmd K on a Mac) to open the command palette. It finds projects, groups, users and files, and runs the actions of the page you are on. Press ? to see the keyboard shortcuts of a page.',
  signs: [
    ['>', 'page actions'],
    ['@', 'users'],
    ['#', 'issues'],
    ['!', 'merge requests'],
    ['~', 'files in this project'],
    [':', 'line number'],
  ] as readonly (readonly [string, string])[],
  ci: 'CI/CD pipelines',
  ciText:
    'Add a .gitlab-ci.yml file to your repository to define the jobs that run when you push. The pipeline editor of a project validates the file while you type.',
  api: 'REST API',
  apiText:
    'The REST API can do everything these pages do. Authenticate with a personal access token. To see the API requests of the current page, select "Show as API" in your account menu.',
  apiDocument: 'View API reference',
  apiLine: 'API request',
  search: 'Search documentation',
  sections: [
    ['start', 'Getting started'],
    ['operating', 'Run a server'],
    ['api', 'REST API'],
  ] as readonly (readonly [string, string])[],
  results: 'Search results',
  noResults: 'No matching pages',
  noResultsText: 'Try fewer or different words.',
  tooManyResults: 'Only the best matches are shown. Add words to narrow the search.',
}
