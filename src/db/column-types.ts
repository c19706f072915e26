// The types that columns are said to have (schema.ts is made from the migrations).
import type { ColumnType } from 'kysely'

/** ISO 8601 in UTC with milliseconds. */
export type Timestamp = string
/** `YYYY-MM-DD`. */
export type DateText = string
/** Read parsed, written through toJson. */
export type Json<T> = ColumnType<T, string, string>

export type Visibility = 'private' | 'internal' | 'public'
export type FeatureAccess = 'disabled' | 'private' | 'enabled'

/** What a job or a pipeline can be in (docs/api/ci.md, "States"). */
export type CiStatus =
  | 'created'
  | 'waiting_for_resource'
  | 'preparing'
  | 'pending'
  | 'running'
  | 'success'
  | 'failed'
  | 'canceled'
  | 'skipped'
  | 'manual'
  | 'scheduled'
