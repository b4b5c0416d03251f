//! Flags of the binaries that keep records.

use crate::cli::BadInput;
use crate::records::earlier::Earlier;
use crate::records::machine::Clock;
use crate::records::meta::{Asked, META, RunSettings, Settings};
use crate::records::writer::{Records, RecordsError};
use clap::Args;
use std::path::PathBuf;

/// Where a run keeps its records.
#[derive(Clone, Debug, Default, Args)]
pub struct RecordsFlags {
    /// Folder for the records instead of results/DATE-EXPERIMENT
    ///
    /// It is made if need be; one that already holds records is refused, so that nothing is mixed or lost,
    /// unless --resume goes on with them.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Go on with the records in --out: what is there is not searched again
    ///
    /// They must be of the same experiment, suite, evaluator, depth, table, parameters, build and machine.
    /// Rounds may be more; contenders, too, where times are virtual, which do not depend on the machine or
    /// the hour. A line that a killed run has left half written is dropped. Where there are no records yet,
    /// it begins anew.
    #[arg(long, requires = "out")]
    pub resume: bool,

    /// Let --resume go on with records of another build or machine, or with contenders that were not among
    /// those recorded
    ///
    /// meta.json then names both builds and machines, and so do reports. Times of different machines make no
    /// curve.
    #[arg(long, requires = "resume")]
    pub mix: bool,

    /// The spec that asks for the run.
    #[arg(skip)]
    pub spec: Option<Asked>,
}

impl RecordsFlags {
    /// Whether [`open`](Self::open) finds a folder for such records, `of` an experiment and a game. Writes
    /// nothing.
    ///
    /// # Errors
    /// [`BadInput`] when there cannot be such records in that folder.
    pub(crate) fn check(&self, of: (&str, &str), settings: &Settings, clock: Clock) -> anyhow::Result<()> {
        self.check_any(of, &RunSettings::Searches(Box::new(settings.clone())), clock)
    }

    /// As [`check`](Self::check), of whatever an experiment is of.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub(crate) fn check_any(
        &self,
        of: (&str, &str),
        settings: &RunSettings,
        clock: Clock,
    ) -> anyhow::Result<()> {
        let Some(path) = &self.out else { return Ok(()) };
        match Earlier::read(path).map_err(BadInput::from_error)? {
            Some(earlier) if self.resume && earlier.is_sealed() => {
                Err(BadInput::from_error(RecordsError::Sealed { path: path.clone() }).into())
            }
            Some(earlier) if self.resume => settings.check(of, &earlier, clock, self.mix),
            None if !path.join(META).exists() => Ok(()),
            _ => Err(BadInput::from_error(RecordsError::InUse { path: path.clone() }).into()),
        }
    }

    /// The records `of` an experiment and a game that `settings` describe, new or to be gone on with, and
    /// what is in them already.
    ///
    /// # Errors
    /// [`BadInput`] when there cannot be such records in that folder.
    pub(crate) fn open(&self, of: (&str, &str), settings: &Settings, clock: Clock) -> anyhow::Result<Opened> {
        self.open_any(of, RunSettings::Searches(Box::new(settings.clone())), clock)
    }

    /// As [`open`](Self::open), of whatever an experiment is of.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub(crate) fn open_any(
        &self,
        of: (&str, &str),
        settings: RunSettings,
        clock: Clock,
    ) -> anyhow::Result<Opened> {
        let earlier = match &self.out {
            Some(path) if self.resume => Earlier::read(path).map_err(BadInput::from_error)?,
            _ => None,
        };
        Ok(match earlier {
            Some(earlier) if earlier.is_sealed() => {
                let path = earlier.path().to_owned();
                return Err(BadInput::from_error(RecordsError::Sealed { path }).into());
            }
            Some(mut earlier) => {
                settings.check(of, &earlier, clock, self.mix)?;
                earlier.is_mixed = self.mix;
                Opened::Earlier(earlier)
            }
            None => {
                let created = Records::create(self.out.as_deref(), of, settings, self.spec.as_ref());
                Opened::New(created.map_err(BadInput::from_error)?)
            }
        })
    }
}

/// Records that a run is about to write.
#[derive(Debug)]
pub enum Opened {
    /// Nothing is in them.
    New(Records),
    /// Some of it is there.
    Earlier(Earlier),
}
