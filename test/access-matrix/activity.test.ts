import { describePrivateMatrix } from '../kit/access-matrix.ts'

describePrivateMatrix('activity')
