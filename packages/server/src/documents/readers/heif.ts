// HEIC, the picture format of phones: decoded by libheif as WebAssembly, so that nothing needs to be installed (0128).
import load from 'libheif-js/libheif-wasm/libheif-bundle.mjs'
import { Refused } from '../refusal.ts'

/** The pixels of a picture as RGBA, rotated as the file says. */
export interface Pixels {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** Decodes the primary picture of a file; it has at most that many pixels. */
export async function readHeif(bytes: Buffer, mostPixels: number): Promise<Pixels> {
  const lib = load({ print: () => undefined, printErr: () => undefined })
  const context = lib.heif_context_alloc() ?? refuse('no memory')
  const read = lib.heif_context_read_from_memory(context, bytes)
  if (read.code !== lib.heif_error_code.heif_error_Ok) refuse(read.message ?? '')
  const ids = lib.heif_js_context_get_list_of_top_level_image_IDs(context)
  const handles = (ids === undefined || 'code' in ids ? [] : ids)
    .map((id) => lib.heif_js_context_get_image_handle(context, id))
    .filter((one): one is object => one !== undefined && !('code' in one))
  const handle =
    handles.find((one) => lib.heif_image_handle_is_primary_image(one) === 1) ?? handles[0] ?? refuse('no picture')
  const [width, height] = [lib.heif_image_handle_get_width(handle), lib.heif_image_handle_get_height(handle)]
  if (width * height > mostPixels) refuse('its size')
  const { heif_colorspace: colors, heif_chroma: chroma, heif_channel: channels } = lib
  const decoded = await lib.heif_js_decode_image2(
    handle,
    colors.heif_colorspace_RGB,
    chroma.heif_chroma_interleaved_RGBA,
  )
  if (decoded === undefined || !('channels' in decoded)) return refuse(decoded?.message ?? 'its picture')
  const plane = decoded.channels.find(({ id }) => id === channels.heif_channel_interleaved) ?? refuse('no pixels')
  const row = plane.width * 4
  const data = new Uint8Array(row * plane.height)
  for (let y = 0; y < plane.height; y += 1) {
    data.set(plane.data.subarray(y * plane.stride, y * plane.stride + row), y * row)
  }
  return { data, width: plane.width, height: plane.height }
}

function refuse(why: string): never {
  throw new Refused('conversionFailed', why)
}
