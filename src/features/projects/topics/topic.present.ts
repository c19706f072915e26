import { type Static, Type } from 'typebox'
import { namedObject, nullableText } from '../../../http/schema.ts'
import { avatarUrl } from '../../../subjects/avatar-url.ts'
import type { Topic } from './topic.store.ts'

export const TopicJson = namedObject('Topic', {
  id: Type.Integer(),
  name: Type.String(),
  title: Type.String(),
  description: nullableText,
  total_projects_count: Type.Integer(),
  avatar_url: nullableText,
})

/** Presents a topic (docs/api/topics.md, "Record"). */
export function presentTopic(topic: Topic, baseUrl: string): Static<typeof TopicJson> {
  const { id, name, title, description, avatar } = topic
  return {
    id,
    name,
    title: title ?? name,
    description,
    total_projects_count: topic.projects_count,
    avatar_url: avatarUrl(baseUrl, { kind: 'topic', id, avatar }),
  }
}
