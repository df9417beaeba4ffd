/** Up to when the deliveries of each lane were read. */
import { ReadMarks } from '../process/read-marks.ts'

/** A delivery becomes visible with the commit that follows the statement which says when it is due. */
export const laneMarks = new ReadMarks(10_000, 60_000)
