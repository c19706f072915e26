// Pages of wikis, for reading and writing.
export { page as wiki } from '../../features/content/wikis/wiki.page.tsx'
export { page as newWikiPage } from '../../features/content/wikis/wiki-form.page.tsx'
