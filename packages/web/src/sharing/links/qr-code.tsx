// An address as a QR code ([R391]: saved as PNG).
import type { ReactNode } from 'react'
import { encode } from 'uqr'

const border = 2
const scale = 12

export function QrCode({
  text,
  size,
  label,
}: {
  readonly text: string
  readonly size: number
  readonly label: string
}): ReactNode {
  const { data, size: cells } = encode(text, { border })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg className="sl-qr" role="img" aria-label={label} width={size} height={size} viewBox={`0 0 ${cells} ${cells}`}>
      <rect width={cells} height={cells} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}

/** Saves the QR code as a file. */
export function saveQrCode(text: string, name: string): void {
  const { data, size } = encode(text, { border })
  const canvas = document.createElement('canvas')
  canvas.width = size * scale
  canvas.height = size * scale
  const pen = canvas.getContext('2d')
  if (pen === null) return
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.fillStyle = '#000'
  data.forEach((row, y) => row.forEach((dark, x) => dark && pen.fillRect(x * scale, y * scale, scale, scale)))
  const link = document.createElement('a')
  link.href = canvas.toDataURL('image/png')
  link.download = `${name}.png`
  link.click()
}
