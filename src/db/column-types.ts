// TypeScript types of columns (schema.ts is generated from the migrations).
import type { ColumnType } from 'kysely'

/** ISO 8601 in UTC with milliseconds. */
export type Timestamp = string
/** `YYYY-MM-DD`. */
export type DateText = string
/** Read parsed, written through toJson. */
export type Json<T> = ColumnType<T, string, string>

export type Visibility = 'private' | 'internal' | 'public'
export type FeatureAccess = 'disabled' | 'private' | 'enabled'

export type { CiStatus } from '../kernel/ci-status.ts'
