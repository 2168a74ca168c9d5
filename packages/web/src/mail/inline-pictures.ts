// Pictures inside the text of a mail: made small enough to be sent with it.
import { mergeAttributes, Node } from '@tiptap/react'

/** Pictures of the text, which are in it as data. Others are not taken over: they would be fetched from elsewhere. */
export const InlinePicture = Node.create({
  name: 'inlinePicture',
  group: 'inline',
  inline: true,
  draggable: true,
  addAttributes: () => ({ src: { default: '' }, alt: { default: '' } }),
  parseHTML: () => [{ tag: 'img[src^="data:image/"]' }],
  renderHTML: ({ HTMLAttributes }) => ['img', mergeAttributes(HTMLAttributes)],
})

const largestSide = 1200
/** A picture that is no larger is taken as it is. */
const enoughBytes = 200 * 1024

/** A picture as data for the text: at most {@link largestSide} wide and high. Undefined if it is none. */
export async function pictureData(file: File): Promise<string | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (picture === undefined) return undefined
  const { width, height } = picture
  const scale = Math.min(1, largestSide / Math.max(width, height))
  if (scale === 1 && file.size <= enoughBytes && /^image\/(png|jpeg|gif|webp)$/.test(file.type)) return dataOf(file)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const drawing = canvas.getContext('2d')
  if (drawing === null) return undefined
  // Transparent parts become white: the text has a white page.
  drawing.fillStyle = '#fff'
  drawing.fillRect(0, 0, canvas.width, canvas.height)
  drawing.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return canvas.toDataURL('image/jpeg', 0.82)
}

function dataOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error ?? new Error('the picture cannot be read'))
    reader.readAsDataURL(file)
  })
}
