import type * as english from '../people.ts'

export const peopleText: typeof english.peopleText = {
  contributed: 'Mitgewirkt an',
  followers: 'Follower',
  following: 'Folgt',
  empty: {
    projects: 'Keine persönlichen Projekte',
    starred: 'Keine Projekte mit Stern',
    contributed: 'Keine Projekte mit Beiträgen',
    followers: 'Noch keine Follower',
    following: 'Folgt noch niemandem',
  },
  overview: 'Übersicht',
  projects: 'Persönliche Projekte',
  since: 'Beigetreten',
  starred: 'Projekte mit Stern',
  label: 'Benutzerprofil',
}
