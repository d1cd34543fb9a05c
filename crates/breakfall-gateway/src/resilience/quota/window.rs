//! The windows of quotas: minutes, hours, days and months of a calendar.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _, Zoned};

use crate::config::QuotaPeriod;

/// A window of the calendar in a time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_structs, reason = "a pair of times")]
pub struct CalendarWindow {
    /// Its first moment.
    pub start: Timestamp,
    /// The first moment after it.
    pub end: Timestamp,
}

impl CalendarWindow {
    /// The window that a time lies in.
    ///
    /// ```
    /// use breakfall_gateway::config::QuotaPeriod;
    /// use breakfall_gateway::resilience::quota::CalendarWindow;
    /// use jiff::{Timestamp, tz::TimeZone};
    ///
    /// let now: Timestamp = "2026-02-10T12:34:56Z".parse()?;
    /// let month = CalendarWindow::at(QuotaPeriod::Month, &TimeZone::UTC, now);
    /// assert_eq!(month.end.to_string(), "2026-03-01T00:00:00Z");
    /// let minute = CalendarWindow::at(QuotaPeriod::Minute, &TimeZone::UTC, now);
    /// assert_eq!(minute.start.to_string(), "2026-02-10T12:34:00Z");
    /// # Ok::<_, jiff::Error>(())
    /// ```
    pub fn at(period: QuotaPeriod, zone: &TimeZone, now: Timestamp) -> Self {
        let dates = match period {
            QuotaPeriod::Minute => return Self::of_seconds(60, zone, now),
            QuotaPeriod::Hour => return Self::of_seconds(3600, zone, now),
            QuotaPeriod::Day => days(&now.to_zoned(zone.clone())),
            QuotaPeriod::Month => months(&now.to_zoned(zone.clone())),
        };
        // Only at the ends of the calendar there is no such day.
        dates.unwrap_or_else(|_| Self::of_seconds(86_400, zone, now))
    }

    /// Whether a time lies in it.
    pub fn contains(&self, now: Timestamp) -> bool {
        self.start <= now && now < self.end
    }

    /// A window of a fixed length that begins at a round local time.
    fn of_seconds(length: i64, zone: &TimeZone, now: Timestamp) -> Self {
        let offset = i64::from(zone.to_offset(now).seconds());
        // The second it lies in, also before 1970.
        let second = now.as_nanosecond().div_euclid(1_000_000_000);
        let second = i64::try_from(second).unwrap_or_default();
        let start = (second + offset).div_euclid(length) * length - offset;
        let start = Timestamp::from_second(start).unwrap_or(Timestamp::MIN);
        let end = start.checked_add(SignedDuration::from_secs(length));
        Self {
            start,
            end: end.unwrap_or(Timestamp::MAX),
        }
    }
}

fn days(now: &Zoned) -> Result<CalendarWindow, jiff::Error> {
    let start = now.start_of_day()?;
    // A day may have 23 or 25 hours.
    let end = now.tomorrow()?.start_of_day()?;
    Ok(CalendarWindow {
        start: start.timestamp(),
        end: end.timestamp(),
    })
}

fn months(now: &Zoned) -> Result<CalendarWindow, jiff::Error> {
    let zone = now.time_zone();
    let first = now.date().first_of_month();
    let next = first.checked_add(1.month())?;
    let of = |date: jiff::civil::Date| date.to_zoned(zone.clone())?.start_of_day();
    Ok(CalendarWindow {
        start: of(first)?.timestamp(),
        end: of(next)?.timestamp(),
    })
}
