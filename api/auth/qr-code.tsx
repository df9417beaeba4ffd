import { encode } from 'uqr'

/** The dark squares of a row, as paths from left to right. */
function pathOf(row: boolean[], y: number): string {
  let path = ''
  for (let x = 0; x < row.length; x++) {
    const start = x
    while (row[x]) x++
    if (x > start) path += `M${start} ${y}h${x - start}v1h${start - x}z`
  }
  return path
}

/** A QR code. Dark on light in both themes, as scanners expect. */
export function QrCode({ of, label }: { of: string; label: string }) {
  const { size, data } = encode(of, { ecc: 'M', border: 4 })
  return (
    <svg class="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={data.map(pathOf).join('')} fill="#000" />
    </svg>
  )
}
