import { describeFurtherMatrices } from '../../kit/access-matrix.ts'

describeFurtherMatrices('activity')
