// Pictures of signatures, made in the page: cut to what is drawn, small, with a transparent background.

/** The longest side of a stored picture, in pixels, and the most bytes of it. */
const side = 640
const mostBytes = 95 * 1024

/** Cuts a canvas to what is drawn on it, and returns it as PNG in base64; undefined if nothing is drawn. */
export function pngOf(canvas: HTMLCanvasElement): string | undefined {
  const pen = canvas.getContext('2d')
  if (pen === null || canvas.width === 0 || canvas.height === 0) return undefined
  const { data, width, height } = pen.getImageData(0, 0, canvas.width, canvas.height)
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if ((data[4 * (y * width + x) + 3] ?? 0) < 8) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  }
  if (right < left) return undefined
  const [w, h] = [right - left + 1, bottom - top + 1]
  for (let most = side; most > 80; most = Math.floor(most * 0.75)) {
    const by = Math.min(1, most / Math.max(w, h))
    const small = document.createElement('canvas')
    small.width = Math.max(1, Math.round(w * by))
    small.height = Math.max(1, Math.round(h * by))
    small.getContext('2d')?.drawImage(canvas, left, top, w, h, 0, 0, small.width, small.height)
    const base64 = small.toDataURL('image/png').split(',')[1] ?? ''
    if (base64.length * 0.75 <= mostBytes) return base64
  }
  return undefined
}

/** Draws a picture, and makes what is as light as its paper transparent. Throws if it cannot be read. */
export async function inkOf(file: Blob): Promise<HTMLCanvasElement> {
  const image = await createImageBitmap(file)
  const by = Math.min(1, 1200 / Math.max(image.width, image.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.width * by))
  canvas.height = Math.max(1, Math.round(image.height * by))
  const pen = canvas.getContext('2d')
  if (pen === null) throw new Error('no canvas')
  pen.drawImage(image, 0, 0, canvas.width, canvas.height)
  const picture = pen.getImageData(0, 0, canvas.width, canvas.height)
  const { data } = picture
  for (let n = 0; n < data.length; n += 4) {
    const light = Math.min(data[n] ?? 0, data[n + 1] ?? 0, data[n + 2] ?? 0)
    // Between paper and ink the edge stays soft.
    const opacity = light >= 225 ? 0 : light <= 150 ? 255 : Math.round(((225 - light) * 255) / 75)
    data[n + 3] = Math.min(data[n + 3] ?? 0, opacity)
  }
  pen.putImageData(picture, 0, 0)
  return canvas
}

/** The face of typed signatures. */
export const typedFace = 'Ma Shan Zheng'

/** Writes a name in that face. */
export async function writtenName(name: string, colour: string): Promise<HTMLCanvasElement> {
  await document.fonts.load(`120px "${typedFace}"`, name)
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d')
  if (pen === null) throw new Error('no canvas')
  const font = `120px "${typedFace}", "Noto Sans SC", sans-serif`
  pen.font = font
  canvas.width = Math.min(2000, Math.ceil(pen.measureText(name).width) + 60)
  canvas.height = 200
  pen.font = font
  pen.fillStyle = colour
  pen.textBaseline = 'middle'
  pen.fillText(name, 30, 100)
  return canvas
}
