const UNITS = ["B", "kB", "MB", "GB", "TB"]

/** A number with its thousands apart. */
export function formatCount(count: number): string {
  // What the system has for that takes longer to load than a small store takes to convert.
  return String(Math.round(count)).replaceAll(/\B(?=(?:\d{3})+$)/g, ",")
}

/** So many things of one name. */
export function formatCountOf(count: number, name: string): string {
  return `${formatCount(count)} ${name}${count === 1 ? "" : "s"}`
}

/** A size in the largest unit that gives at least one. */
export function formatBytes(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 999.95 && unit < UNITS.length - 1) {
    size /= 1000
    unit++
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`
}

/** A duration, as precise as a remaining time can be. */
export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A time of this place. */
export function formatTime(time: number): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return "unknown"
  const two = (part: number) => String(part).padStart(2, "0")
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}
