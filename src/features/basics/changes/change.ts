// Publishes changes for pages that follow them. Code that changes a record publishes it within the transaction;
// activity/event-streams notifies followers. Without followers nothing is done.
import { hash } from 'node:crypto'
import { databaseKeyOf, scheduleAfterCommit } from '../../../db/after-commit.ts'
import type { Db } from '../../../db/db.ts'

/** The kinds of topics of lists of issues and merge requests. */
export type ListTopicKind =
  | 'group_issues'
  | 'group_merge_requests'
  | 'project_issues'
  | 'project_merge_requests'
/** The kinds of topics of event streams; those of projects are in projects/topics. */
export type TopicKind =
  | 'issue'
  | 'job'
  | 'merge_request'
  | 'pipeline'
  | 'project'
  | 'user'
  | ListTopicKind
/** A topic of changes. What requests call `user` is `user:<the caller's id>` here. */
export type ChangeTopic = `${TopicKind}:${number}`
/** A topic that is published. `confidential_issues:<project id>` is only published: nobody subscribes to it directly. */
export type PublishedTopic = ChangeTopic | `confidential_issues:${number}`

type Hear = (topics: readonly PublishedTopic[]) => void

const hearing = new WeakMap<object, Hear>()

/** Sets the function that receives published changes of this database in this process. */
export function setChangeListener(db: Db, hear: Hear): void {
  hearing.set(databaseKeyOf(db), hear)
}

/** Publishes a change of the topics once the transaction is committed, so that open pages reload them. */
export async function publishChange(db: Db, ...topics: readonly PublishedTopic[]): Promise<void> {
  const hear = hearing.get(databaseKeyOf(db))
  if (hear && topics.length > 0) await scheduleAfterCommit(db, () => hear(topics))
}

/** The fields of a record's rows that change whenever pages must be notified. */
export type RecordVersionFacts = Record<string, unknown>

/** Returns the version of a record, which pages compare. It is the same as long as its facts are. */
export function computeRecordVersion(facts: RecordVersionFacts): string {
  return hash('sha256', JSON.stringify(Object.values(facts)), 'base64url').slice(0, 10)
}
