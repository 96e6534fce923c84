#pragma once

#include "artel/experiment/model_study.hpp"

/// M/M/1: customers come at random to one server, one after another.
artel::experiment::ModelStudy single_server();
