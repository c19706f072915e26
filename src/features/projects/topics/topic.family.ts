import type { Family } from '../../family.ts'
import { topicEndpoints } from './topic.routes.ts'

export const topicFamily: Family = { endpoints: topicEndpoints }
