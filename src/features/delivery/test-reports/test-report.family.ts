import type { Family } from '../../family.ts'
import { testReportEndpoints } from './test-report.routes.ts'

export const testReportFamily: Family = {
  endpoints: testReportEndpoints,
}
