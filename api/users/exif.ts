/** EXIF: of all that cameras write into it, only the orientation matters for showing an image. */

const ORIENTATION = 0x0112
const SHORT = 3

/** As a camera writes it that was held upright. */
const UPRIGHT = 1

/**
 * Reads the orientation, 1 to 8, from a TIFF structure.
 *
 * @returns upright if there is none
 */
export function orientationIn(tiff: DataView): number {
  if (tiff.byteLength < 8) return UPRIGHT
  const order = tiff.getUint16(0)
  if (order !== 0x4949 && order !== 0x4d4d) return UPRIGHT
  const little = order === 0x4949
  const directory = tiff.getUint32(4, little)
  if (directory + 2 > tiff.byteLength) return UPRIGHT
  const count = tiff.getUint16(directory, little)
  for (let entry = directory + 2; entry < directory + 2 + count * 12 && entry + 12 <= tiff.byteLength; entry += 12) {
    if (tiff.getUint16(entry, little) !== ORIENTATION || tiff.getUint16(entry + 2, little) !== SHORT) continue
    const orientation = tiff.getUint16(entry + 8, little)
    return orientation >= 1 && orientation <= 8 ? orientation : UPRIGHT
  }
  return UPRIGHT
}

/** A TIFF structure with nothing but an orientation; null for an upright image, which needs none. */
export function tiffWith(orientation: number): Buffer | null {
  if (orientation === UPRIGHT) return null
  const tiff = Buffer.alloc(26)
  tiff.write('MM\0*', 'latin1')
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(ORIENTATION, 10)
  tiff.writeUInt16BE(SHORT, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}
