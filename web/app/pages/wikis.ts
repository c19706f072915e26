// Who reads a wiki writes it.
export { page as wiki } from '../../features/content/wikis/wiki.page.tsx'
export { page as newWikiPage } from '../../features/content/wikis/wiki-form.page.tsx'
