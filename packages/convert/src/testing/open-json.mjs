import { JsonStorage } from "@sessile/storage-json"

export function openSource(path) {
  return JsonStorage.open({ path, readonly: true })
}
