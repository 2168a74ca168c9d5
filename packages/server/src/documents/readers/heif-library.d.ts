// The used part of the package libheif-js: the functions of the library itself, without the package's wrapper.
declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  /** The library reports unreadable input as an error object with a code. */
  export interface HeifError {
    readonly code: unknown
    readonly message?: string
  }
  export interface HeifChannel {
    readonly id: unknown
    readonly width: number
    readonly height: number
    readonly stride: number
    readonly data: Uint8Array
  }
  export interface Heif {
    readonly heif_error_code: { readonly heif_error_Ok: unknown }
    readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown }
    readonly heif_chroma: { readonly heif_chroma_interleaved_RGBA: unknown }
    readonly heif_channel: { readonly heif_channel_interleaved: unknown }
    heif_context_alloc(): object | null
    heif_context_read_from_memory(context: object, bytes: Uint8Array): HeifError
    heif_js_context_get_list_of_top_level_image_IDs(context: object): readonly number[] | HeifError | undefined
    heif_js_context_get_image_handle(context: object, id: number): object | HeifError | undefined
    heif_image_handle_is_primary_image(handle: object): number
    heif_image_handle_get_width(handle: object): number
    heif_image_handle_get_height(handle: object): number
    heif_js_decode_image2(
      handle: object,
      colors: unknown,
      chroma: unknown,
    ): Promise<{ readonly channels: readonly HeifChannel[] } | HeifError | undefined>
  }
  export default function load(how?: { readonly print?: () => void; readonly printErr?: () => void }): Heif
}
