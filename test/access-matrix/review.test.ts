import { describePrivateMatrix } from '../kit/access-matrix.ts'

describePrivateMatrix('review')
